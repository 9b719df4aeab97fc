import { pagesOf, type Tx } from '../../../kernel/store/index.ts';
import { type EventSubscription, eventSubscriptions, scopeKeyOf, subscriptionKey } from '../collections.ts';
import { policyFor } from '../delivering/policy-names.ts';
import { notifyOfDeletion } from '../handshake/notice.ts';
import type { EventsJar } from '../jar.ts';
import { touchScope } from '../matching/scope-indexes.ts';
import { dropUnusedDomainTopic } from '../topics/domain-topic-store.ts';
import { unfollowManagement } from './management.ts';
import { freeSubscription } from './quotas.ts';
import { cancelPending } from './transitions.ts';
import { expiryItem } from './work-items.ts';

const PAGE = 200;

/**
 * Removes all subscriptions at a scope and below it, in the transaction that deletes the scope. If the scope has been recreated, removes
 * only subscriptions created before `before`. `scope` is its key.
 */
export async function removeSubscriptionsOf(tx: Tx, jar: EventsJar, scope: string, before = Infinity): Promise<void> {
  for await (const page of pagesOf(tx, eventSubscriptions, { prefix: `${scope}/`, page: PAGE })) {
    for (const { value } of page) {
      if (value.createdAt < before) await removeSubscription(tx, jar, value, `Its parent '${scope}' was deleted.`);
    }
  }
}

/** Removes a subscription with everything that belongs to it. `reason` is recorded for removals that are not the subject of a request. */
export async function removeSubscription(
  tx: Tx,
  jar: EventsJar,
  subscription: EventSubscription,
  reason?: string,
): Promise<void> {
  const key = subscriptionKey(subscription);
  const { pending, live } = subscription;
  await tx.delete(eventSubscriptions, key);
  await touchScope(tx, scopeKeyOf(subscription), -1);
  if (pending) await cancelPending(tx, jar, { ...subscription, pending }, 'The event subscription was deleted.');
  await tx.cancel(expiryItem(key));
  await jar.delivery.cancel(tx, { owner: key });
  // A recreated subscription of this name must not inherit the circuit breaker state.
  if (live?.destination) await jar.delivery.forgive(tx, { policy: policyFor(live.destination), destination: key });
  await freeSubscription(tx, jar, subscription);
  await unfollowManagement(tx, jar, subscription);
  await notifyOfDeletion(tx, jar, subscription);
  await dropUnusedDomainTopic(tx, jar, scopeKeyOf(subscription));
  if (reason === undefined) return;
  const at = jar.clock.now();
  const data = { reason };
  await tx.change({ source: 'events', kind: 'delete', subject: subscription.id, outcome: 'Succeeded', at, data });
}
