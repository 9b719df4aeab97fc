import { eq, type Reader, readAll } from '../../../../kernel/store/index.ts';
import { byId } from '../core/chain.ts';
import { listOf, type Securable, securableKey, securables } from '../core/securables.ts';
import { partnerKey, sharingPartners } from './collections.ts';
import { globalIdOf, metastoreIdIn } from './global-id.ts';

/** Whether a share is granted to a recipient. */

export const isReadableBy = ({ grants = [] }: Securable, { id }: Pick<Securable, 'id'>): boolean =>
  grants.some(({ principal, privileges }) => principal === id && privileges.includes('SELECT'));

/** The recipient's shares, by name. */
export async function readableShares(reader: Reader, recipient: Securable): Promise<readonly Securable[]> {
  const filter = eq('list', listOf(recipient.metastore, 'share'));
  const shares = await readAll(reader, securables, { filter, order: [{ field: 'name' }] });
  return shares.map(({ value }) => value).filter((share) => isReadableBy(share, recipient));
}

export async function readableShare(
  reader: Reader,
  recipient: Securable,
  name: string,
): Promise<Securable | undefined> {
  const found = (await reader.get(securables, securableKey(recipient.metastore, 'share', name), 'none'))?.value;
  return found && isReadableBy(found, recipient) ? found : undefined;
}

/** The recipient that represents a metastore at the provider's metastore. */
export async function recipientBehind(
  reader: Reader,
  provider: Securable,
  metastore: Securable,
): Promise<Securable | undefined> {
  const other = metastoreIdIn(String(provider.fields.data_provider_global_metastore_id ?? ''));
  if (other === undefined) return undefined;
  const key = partnerKey({ metastore: other, kind: 'recipient', other: globalIdOf(metastore) });
  const partner = (await reader.get(sharingPartners, key, 'none'))?.value;
  return partner && byId(reader, partner.securable);
}
