import { type Creation, creations } from '../collections.ts';
import { subscriptionErrors } from '../errors.ts';
import type { SubscriptionsCall } from '../jar.ts';
import { callerOf, isSame } from '../roles.ts';

/**
 * A subscription that must be or was accepted. Its future owner sees it, and its creator can read it. Other callers of the owner's tenant
 * get 403; callers of another tenant get 404.
 */
export async function offeredTo(
  call: SubscriptionsCall,
  subscriptionId: string,
  need: 'read' | 'accept',
): Promise<Creation> {
  const caller = callerOf(call);
  const creation = (await call.jar.store.get(creations, subscriptionId.toLowerCase()))?.value;
  const notFound = subscriptionErrors.SubscriptionNotFound({ subscription: subscriptionId });
  if (creation?.expiresAt === undefined) throw notFound;
  if (need === 'read' && isSame(creation.origin.caller.objectId, caller.objectId)) return creation;
  if (!isSame(creation.tenantId, caller.tenantId)) throw notFound;
  if (isSame(creation.ownerId, caller.objectId)) return creation;
  throw subscriptionErrors.Forbidden({
    reason: `'${caller.name}' is not the future owner of the subscription '${subscriptionId}'.`,
  });
}
