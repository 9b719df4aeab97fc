import { etag } from '../../../kernel/ids/index.ts';
import { allOf, atMost, deleteAll, type Filter, type Stored } from '../../../kernel/store/index.ts';
import { type QueuedMessage, queuedMessages } from '../collections.ts';
import type { EventsJar } from '../jar.ts';
import { messageKey } from './own-queue.ts';

type Parts = Pick<EventsJar, 'store' | 'clock'>;

export interface Counts {
  readonly total: number;
  /** Received by somebody and hidden from others for a while. */
  readonly hidden: number;
}

/** What is there at a time: an expired message is not, even while its removal is under way. */
export function present(queue: string, now: number): Filter {
  const never: Filter = { op: 'eq', field: 'expiresAt', value: null };
  return allOf(
    { op: 'eq', field: 'queue', value: queue },
    { op: 'or', args: [never, { op: 'gt', field: 'expiresAt', value: now }] },
  );
}

export async function countMessages({ store, clock }: Parts, queue: string): Promise<Counts> {
  const now = clock.now();
  const there = present(queue, now);
  const [total, hidden] = await Promise.all([
    store.count(queuedMessages, { filter: there }),
    store.count(queuedMessages, { filter: allOf(there, { op: 'gt', field: 'visibleAt', value: now }) }),
  ]);
  return { total, hidden };
}

/** Hides the oldest visible messages from everybody else for `hideMs`, and gives them with the proof of that. */
export function receiveMessages(
  { store, clock }: Parts,
  queue: string,
  max: number,
  hideMs: number,
): Promise<readonly Stored<QueuedMessage>[]> {
  const now = clock.now();
  return store.transact(async (tx) => {
    // Whoever receives from this queue waits here, on whatever node: what one has seen as visible nobody else takes meanwhile.
    await tx.lock(`events.queue ${queue}`);
    const page = await tx.query(queuedMessages, {
      filter: allOf(present(queue, now), { op: 'le', field: 'visibleAt', value: now }),
      order: [{ field: 'enqueuedAt' }],
      limit: max,
    });
    const received: Stored<QueuedMessage>[] = [];
    for (const { key } of page.items) {
      // Read again with a lock: it may have been deleted since.
      const found = await tx.get(queuedMessages, key);
      if (!found) continue;
      const { dequeueCount } = found.value;
      const next = { ...found.value, visibleAt: now + hideMs, dequeueCount: dequeueCount + 1, receipt: etag() };
      received.push(await tx.put(queuedMessages, key, next));
    }
    return received;
  });
}

export type Deletion = 'deleted' | 'missing' | 'not yours';

/** With a receipt only if nobody has received it since that was given out. */
export function deleteMessage(
  { store, clock }: Parts,
  queue: string,
  id: string,
  receipt: string | undefined,
): Promise<Deletion> {
  const key = messageKey(queue, id);
  const now = clock.now();
  return store.transact(async (tx) => {
    const found = await tx.get(queuedMessages, key);
    if (!found || (found.value.expiresAt ?? Number.POSITIVE_INFINITY) <= now) return 'missing';
    if (receipt !== undefined && found.value.receipt !== receipt) return 'not yours';
    await tx.delete(queuedMessages, key);
    return 'deleted';
  });
}

/** All that was there when it began, in steps; gives how many. */
export async function purgeMessages({ store, clock }: Parts, queue: string): Promise<number> {
  const now = clock.now();
  return deleteAll(store, queuedMessages, { filter: allOf(present(queue, now), atMost('enqueuedAt', now)) });
}
