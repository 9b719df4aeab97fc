import { uuid } from '../../../../kernel/ids/index.ts';
import type { Tx } from '../../../../kernel/store/index.ts';
import { errors } from '../../errors.ts';
import type { Actor, PlatformJar } from '../../jar.ts';
import { takeCount } from '../../limits/take.ts';
import { byId } from '../core/chain.ts';
import { keyOf, type Securable, SYSTEM_USER, securableKey, securables } from '../core/securables.ts';
import { partnerKey, sharingPartners } from './collections.ts';
import { globalIdOf, metastoreIdIn } from './global-id.ts';

/** A metastore that becomes a recipient gets a provider, which lists what is shared with it. */
export async function storePartner(tx: Tx, call: Actor, recipient: Securable, metastore: Securable): Promise<void> {
  const globalId = String(recipient.fields.data_recipient_global_metastore_id);
  const otherId = metastoreIdIn(globalId);
  if (otherId === undefined)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `'${globalId.slice(0, 200)}' is not a global metastore id; the form is <cloud>:<region>:<uuid>.`,
    });
  const own = { metastore: metastore.id, kind: 'recipient', other: globalId } as const;
  await tx.lock(`platform.partner:${partnerKey(own)}`);
  const known = (await tx.get(sharingPartners, partnerKey(own)))?.value;
  const same = known && (await byId(tx, known.securable));
  if (same)
    throw errors.RESOURCE_ALREADY_EXISTS({
      reason: `There is already a Recipient object '${same.name}' with the same sharing identifier '${globalId}'.`,
    });
  await tx.put(sharingPartners, partnerKey(own), { ...own, securable: recipient.id });
  const other = await byId(tx, otherId);
  if (other?.kind === 'metastore') await putProvider(tx, call, metastore, other);
}

export async function putProvider(tx: Tx, { jar }: Actor, metastore: Securable, other: Securable): Promise<void> {
  const partner = { metastore: other.id, kind: 'provider', other: globalIdOf(metastore) } as const;
  if (await tx.get(sharingPartners, partnerKey(partner))) return;
  const now = jar.clock.now();
  const wanted = String(metastore.fields.delta_sharing_organization_name ?? metastore.name).toLowerCase();
  const isTaken = await tx.get(securables, securableKey(other.id, 'provider', wanted), 'none');
  const provider: Securable = {
    kind: 'provider',
    accountId: other.accountId,
    metastore: other.id,
    id: uuid(),
    parent: other.id,
    name: isTaken || /[ ./]/.test(wanted) ? `${metastore.name}-${metastore.id.slice(0, 8)}` : wanted,
    owner: other.owner,
    createdAt: now,
    createdBy: SYSTEM_USER,
    updatedAt: now,
    updatedBy: SYSTEM_USER,
    fields: { authentication_type: 'DATABRICKS', data_provider_global_metastore_id: globalIdOf(metastore) },
  };
  await takeCount(tx, jar, { row: 'providers', scope: [other.id] });
  await tx.put(securables, keyOf(provider), provider);
  await tx.put(sharingPartners, partnerKey(partner), { ...partner, securable: provider.id });
}

/**
 * Called when the recipient or provider is removed. After the removal of a recipient, the provider on the other side stays, for catalogs
 * made from it, and lists nothing.
 */
export async function removePartner(tx: Tx, _jar: PlatformJar, { kind, metastore, fields }: Securable): Promise<void> {
  if (kind !== 'recipient' && kind !== 'provider') return;
  const other =
    kind === 'recipient' ? fields.data_recipient_global_metastore_id : fields.data_provider_global_metastore_id;
  if (typeof other === 'string') await tx.delete(sharingPartners, partnerKey({ metastore, kind, other }));
}
