import type { Tx } from '../../../kernel/store/index.ts';
import { type EventSubscription, eventSubscriptions } from '../collections.ts';
import { MANAGEMENT_EVENTS } from '../followers.ts';
import type { EventsJar } from '../jar.ts';

/** Subscriptions to what happens in the management API, rather than to what is published to a topic or a domain. */

/** Who brings changes of the management API to them. */
const FOLLOWER = MANAGEMENT_EVENTS.name;
const PUBLISHED = ['vendor.eventgrid.topics', 'vendor.eventgrid.domains', 'vendor.eventgrid.partnertopics'];

const isManaged = ({ topicType }: EventSubscription): boolean => !PUBLISHED.includes(topicType.toLowerCase());

/** One is made: from this commit on it hears of changes when it is in force, and of the end of what it is for in any case. */
export async function followManagement(
  tx: Tx,
  jar: Pick<EventsJar, 'feed'>,
  subscription: EventSubscription,
): Promise<void> {
  if (!isManaged(subscription)) return;
  await tx.lock(FOLLOWER);
  await jar.feed.activate(tx, FOLLOWER);
}

/** One was deleted: when it was the last, changes are not looked at any more. */
export async function leaveManagement(
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
