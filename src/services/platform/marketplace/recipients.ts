import { uuid } from '../../../kernel/ids/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { byId } from '../catalog/core/chain.ts';
import { keyOf, type Securable, SYSTEM_USER, securableKey, securables } from '../catalog/core/securables.ts';
import { partnerKey, sharingPartners } from '../catalog/sharing/collections.ts';
import { globalIdOf } from '../catalog/sharing/global-id.ts';
import { putProvider } from '../catalog/sharing/partners.ts';
import { newToken, storeTokens, tokensOf } from '../catalog/sharing/recipients/tokens.ts';
import { errors } from '../errors.ts';
import type { PlatformCall } from '../jar.ts';
import { takeCount } from '../limits/take.ts';
import type { Listing } from './collections.ts';

/** Created by an installation in the listing's metastore: a recipient for the consumer, who may then read the share. */

interface Made {
  readonly recipient: Securable;
  /** Whether this installation created it. */
  readonly isNew: boolean;
}

async function sourceOf(tx: Tx, { metastore }: Listing): Promise<Securable> {
  const source = await byId(tx, metastore);
  if (!source) throw errors.INVALID_STATE({ reason: 'The metastore of the listing no longer exists.' });
  return source;
}

const nameFor = (consumer: Securable): string => `marketplace-${consumer.id}`;

/** The recipient that represents the consumer's metastore; there is at most one per metastore. */
export async function metastoreRecipient(
  tx: Tx,
  call: PlatformCall,
  listing: Listing,
  consumer: Securable,
): Promise<Made> {
  const source = await sourceOf(tx, listing);
  const partner = { metastore: source.id, kind: 'recipient', other: globalIdOf(consumer) } as const;
  await tx.lock(`platform.partner:${partnerKey(partner)}`);
  const known = (await tx.get(sharingPartners, partnerKey(partner)))?.value;
  const found = known && (await byId(tx, known.securable));
  if (found) return { recipient: found, isNew: false };
  const recipient = await putRecipient(tx, call, source, nameFor(consumer), {
    authentication_type: 'DATABRICKS',
    data_recipient_global_metastore_id: globalIdOf(consumer),
  });
  await tx.put(sharingPartners, partnerKey(partner), { ...partner, securable: recipient.id });
  await putProvider(tx, call, source, consumer);
  return { recipient, isNew: true };
}

/** Creates a separate recipient with a token, for consumers who read by the open protocol. */
export async function openRecipient(tx: Tx, call: PlatformCall, listing: Listing, name: string): Promise<Securable> {
  const source = await sourceOf(tx, listing);
  const token = newToken({ createdBy: SYSTEM_USER }, call.jar.clock.now(), undefined);
  const recipient = await putRecipient(
    tx,
    call,
    source,
    name,
    { authentication_type: 'TOKEN' },
    { tokens: [token] as never },
  );
  await storeTokens(tx, recipient.id, [], tokensOf(recipient));
  return recipient;
}

async function putRecipient(
  tx: Tx,
  { jar }: PlatformCall,
  source: Securable,
  name: string,
  fields: Securable['fields'],
  extra?: Securable['extra'],
): Promise<Securable> {
  await takeCount(tx, jar, { row: 'recipients', scope: [source.id] });
  const now = jar.clock.now();
  const recipient: Securable = {
    kind: 'recipient',
    accountId: source.accountId,
    metastore: source.id,
    id: uuid(),
    parent: source.id,
    name,
    owner: source.owner,
    createdAt: now,
    createdBy: SYSTEM_USER,
    updatedAt: now,
    updatedBy: SYSTEM_USER,
    fields: { ...fields, comment: 'Created by the marketplace' },
    ...(extra && { extra }),
  };
  await tx.put(securables, keyOf(recipient), recipient);
  return recipient;
}

/** Grants the share of a listing to a recipient. */
export async function grantShare(
  tx: Tx,
  listing: Listing,
  shareName: string,
  recipient: Securable,
): Promise<Securable> {
  const share = (await tx.get(securables, securableKey(listing.metastore, 'share', shareName)))?.value;
  if (!share) throw errors.INVALID_STATE({ reason: `The share '${shareName}' of the listing no longer exists.` });
  const others = (share.grants ?? []).filter(({ principal }) => principal !== recipient.id);
  await tx.put(securables, keyOf(share), {
    ...share,
    grants: [...others, { principal: recipient.id, privileges: ['SELECT'] }],
  });
  return share;
}
