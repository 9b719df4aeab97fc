import { pagesOf, type Tx } from '../../../kernel/store/index.ts';
import { type EventSubscription, eventSubscriptions, scopeKeyOf, subscriptionKey } from '../collections.ts';
import { policyFor } from '../delivering/policy-names.ts';
import { tellOfDeletion } from '../handshake/notice.ts';
import type { EventsJar } from '../jar.ts';
import { touchScope } from '../matching/scope-indexes.ts';
import { dropUnusedDomainTopic } from '../topics/domain-topic-store.ts';
import { leaveManagement } from './management.ts';
import { freeSubscription } from './quotas.ts';
import { cancelPending } from './transitions.ts';
import { expiryItem } from './work-items.ts';

const PAGE = 200;

/**
 * All subscriptions at a scope and below it, in the transaction that deletes the scope, or of those that were made before `before`
 * where the scope is there again. `scope` is its key.
 */
export async function removeSubscriptionsOf(tx: Tx, jar: EventsJar, scope: string, before = Infinity): Promise<void> {
  for await (const page of pagesOf(tx, eventSubscriptions, { prefix: `${scope}/`, page: PAGE })) {
    for (const { value } of page) {
      if (value.createdAt < before) await removeSubscription(tx, jar, value, `Its parent '${scope}' was deleted.`);
    }
  }
}

/** With everything that belongs to it. A reason is recorded where nobody asked for its removal by itself. */
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
  // One that is made anew under this name begins with a clean sheet.
  if (live?.destination) await jar.delivery.forgive(tx, { policy: policyFor(live.destination), destination: key });
  await freeSubscription(tx, jar, subscription);
  await leaveManagement(tx, jar, subscription);
  await tellOfDeletion(tx, jar, subscription);
  await dropUnusedDomainTopic(tx, jar, scopeKeyOf(subscription));
  if (reason === undefined) return;
  const at = jar.clock.now();
  const data = { reason };
  await tx.change({ source: 'events', kind: 'delete', subject: subscription.id, outcome: 'Succeeded', at, data });
}
