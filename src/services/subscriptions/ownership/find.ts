import { type Creation, creations } from '../collections.ts';
import { subscriptionErrors } from '../errors.ts';
import type { SubscriptionsCall } from '../jar.ts';
import { callerOf, isSame } from '../roles.ts';

/**
 * A subscription that somebody has to accept, or has accepted. Its future owner sees it, and for reading also whoever has created it; others
 * of the owner's tenant are refused, and for callers of another tenant there is none.
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
