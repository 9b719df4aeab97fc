import type { Tx } from '../../../kernel/store/index.ts';
import { type EventSubscription, eventSubscriptions } from '../collections.ts';
import { MANAGEMENT_EVENTS } from '../followers.ts';
import type { EventsJar } from '../jar.ts';

/** Subscriptions to management operations, rather than to events that are published to a topic or a domain. */

/** Follower that turns management changes into events. */
const FOLLOWER = MANAGEMENT_EVENTS.name;
const PUBLISHED = ['vendor.eventgrid.topics', 'vendor.eventgrid.domains', 'vendor.eventgrid.partnertopics'];

const isManaged = ({ topicType }: EventSubscription): boolean => !PUBLISHED.includes(topicType.toLowerCase());

/**
 * Called when a subscription is created: from this commit on the follower runs, to deliver changes once the subscription is in force, and
 * to remove it when its scope is deleted.
 */
export async function followManagement(
  tx: Tx,
  jar: Pick<EventsJar, 'feed'>,
  subscription: EventSubscription,
): Promise<void> {
  if (!isManaged(subscription)) return;
  await tx.lock(FOLLOWER);
  await jar.feed.activate(tx, FOLLOWER);
}

/** Called when a subscription is deleted: after the last one, the follower stops. */
export async function unfollowManagement(
  tx: Tx,
  jar: Pick<EventsJar, 'feed'>,
  subscription: EventSubscription,
): Promise<void> {
  if (!isManaged(subscription)) return;
  await tx.lock(FOLLOWER);
  const { items } = await tx.query(eventSubscriptions, {
    filter: { op: 'not', arg: { op: 'in', field: 'topicType', values: PUBLISHED } },
    limit: 1,
  });
  if (items.length === 0) await jar.feed.deactivate(tx, FOLLOWER);
}
