import {
  type ArmFacts,
  gatewayErrors,
  groupPath,
  type Resource,
  resources,
  type Subscription,
} from '../../../kernel/arm/index.ts';
import { type Reader, type ReadLock, readCached, type Store } from '../../../kernel/store/index.ts';
import { ownedKey, type Share, type ShareSubscription, shareSubscriptions, shares } from '../collections.ts';
import { dataShareErrors } from '../errors.ts';
import { ACCOUNT } from '../types.ts';

/**
 * Finds the resources named in a path, from the account down. A write below a resource locks it, so that the resource is not deleted
 * meanwhile.
 */

export interface AccountPlace {
  readonly uid: string;
  readonly id: string;
  readonly key: string;
  readonly resource: Resource;
}

export interface SharePlace {
  readonly uid: string;
  readonly id: string;
  readonly key: string;
  readonly share: Share;
}

export interface SubscriptionPlace {
  readonly uid: string;
  readonly id: string;
  readonly key: string;
  readonly subscription: ShareSubscription;
}

type AccountParams = { readonly accountName: string };
type ShareParams = AccountParams & { readonly shareName: string };
type SubscriptionParams = AccountParams & { readonly shareSubscriptionName: string };

/** A reader backed by the cache, for read-only operations. */
export const cachedReader = (store: Store): Pick<Reader, 'get'> => ({
  get: (from, key) => readCached(store, from, key),
});

export const uidOf = ({ extra }: Pick<Resource, 'extra'>): string => String(extra.uid);

export async function findAccount(
  reader: Pick<Reader, 'get'>,
  arm: ArmFacts,
  { accountName: name }: AccountParams,
  lock: ReadLock = 'share',
): Promise<AccountPlace> {
  const { subscriptionId } = arm.subscription as Subscription;
  const group = arm.group?.name ?? '';
  const key = `${groupPath(subscriptionId, group)}/providers/${ACCOUNT.type}/${name}`.toLowerCase();
  const resource = (await reader.get(resources, key, lock))?.value;
  if (!resource) throw gatewayErrors.ResourceNotFound({ type: ACCOUNT.type, name, group });
  return { uid: uidOf(resource), id: resource.id, key, resource };
}

export async function findShare(
  reader: Pick<Reader, 'get'>,
  arm: ArmFacts,
  params: ShareParams,
  lock: ReadLock = 'share',
): Promise<SharePlace> {
  const account = await findAccount(reader, arm, params, 'none');
  const key = ownedKey(account.uid, params.shareName);
  const share = (await reader.get(shares, key, lock))?.value;
  if (!share) throw dataShareErrors.ShareNotFound({ name: params.shareName, account: account.resource.name });
  return { uid: share.uid, id: share.id, key, share };
}

export async function findSubscription(
  reader: Pick<Reader, 'get'>,
  arm: ArmFacts,
  params: SubscriptionParams,
  lock: ReadLock = 'share',
): Promise<SubscriptionPlace> {
  const account = await findAccount(reader, arm, params, 'none');
  const name = params.shareSubscriptionName;
  const key = ownedKey(account.uid, name);
  const subscription = (await reader.get(shareSubscriptions, key, lock))?.value;
  if (!subscription) throw dataShareErrors.ShareSubscriptionNotFound({ name });
  return { uid: subscription.uid, id: subscription.id, key, subscription };
}
