import type { ResourceMove } from '../../../kernel/arm/index.ts';
import { pagesOf, type Tx } from '../../../kernel/store/index.ts';
import { type EventSubscription, eventSubscriptions, scopeKeyOf, subscriptionKey } from '../collections.ts';
import type { EventsJar } from '../jar.ts';
import { touchScope } from '../matching/scope-indexes.ts';
import { freeSubscription, takeSubscription } from '../subscriptions/quotas.ts';
import { cancelPending, scheduleExpiry, writeSubscription } from '../subscriptions/transitions.ts';
import { expiryItem } from '../subscriptions/work-items.ts';

const PAGE = 200;

/** Moves the event subscriptions at and below a resource, with their queued events. */
export async function moveSubscriptions(tx: Tx, jar: EventsJar, { from, to }: ResourceMove): Promise<void> {
  const found: EventSubscription[] = [];
  for await (const page of pagesOf(tx, eventSubscriptions, { prefix: `${from.id.toLowerCase()}/`, page: PAGE }))
    found.push(...page.map(({ value }) => value));
  for (const subscription of found) {
    const settled = await withoutPending(tx, jar, subscription);
    const inTarget = (id: string): string => to.id + id.slice(from.id.length);
    await moveOne(tx, jar, settled, {
      ...settled,
      id: inTarget(settled.id),
      topic: inTarget(settled.topic),
      subscriptionId: to.subscriptionId,
      resourceGroup: to.resourceGroup,
    });
  }
}

/** Cancels a definition that is not in force yet: its endpoint was asked under the former id. */
async function withoutPending(tx: Tx, jar: EventsJar, subscription: EventSubscription): Promise<EventSubscription> {
  const { pending, ...kept } = subscription;
  if (!pending) return subscription;
  await cancelPending(tx, jar, { ...subscription, pending }, 'The resource of the event subscription was moved.');
  if (kept.live) return { ...kept, provisioningState: 'Succeeded' };
  return { ...kept, provisioningState: 'Failed', failed: pending.definition };
}

async function moveOne(tx: Tx, jar: EventsJar, from: EventSubscription, to: EventSubscription): Promise<void> {
  const key = subscriptionKey(from);
  await freeSubscription(tx, jar, from);
  await takeSubscription(tx, jar, to);
  await writeSubscription(tx, to, 1);
  // Ending each delivery reads `movedTo` and queues the event for the new subscription.
  await tx.put(eventSubscriptions, key, { ...from, movedTo: subscriptionKey(to) });
  await jar.delivery.cancel(tx, { owner: key }, 'it moves with its subscription');
  await tx.delete(eventSubscriptions, key);
  await touchScope(tx, scopeKeyOf(from), -1);
  await tx.cancel(expiryItem(key));
  await scheduleExpiry(tx, to);
}
