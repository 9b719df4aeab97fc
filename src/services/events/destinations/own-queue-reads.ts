import { etag } from '../../../kernel/ids/index.ts';
import { allOf, atMost, deleteAll, type Filter, type Stored } from '../../../kernel/store/index.ts';
import { type QueuedMessage, queuedMessages } from '../collections.ts';
import type { EventsJar } from '../jar.ts';
import { messageKey } from './own-queue.ts';

type Parts = Pick<EventsJar, 'store' | 'clock'>;

export interface Counts {
  readonly total: number;
  /** Received, and hidden from other receivers for a while. */
  readonly hidden: number;
}

/** Filter for the messages that have not expired, whether expired ones have been removed yet or not. */
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

/** Hides the oldest visible messages from other receivers for `hideMs`, and returns them with receipts. */
export function receiveMessages(
  { store, clock }: Parts,
  queue: string,
  max: number,
  hideMs: number,
): Promise<readonly Stored<QueuedMessage>[]> {
  const now = clock.now();
  return store.transact(async (tx) => {
    // Receivers of one queue wait for each other across all nodes, so that no two receive the same message.
    await tx.lock(`events.queue ${queue}`);
    const page = await tx.query(queuedMessages, {
      filter: allOf(present(queue, now), { op: 'le', field: 'visibleAt', value: now }),
      order: [{ field: 'enqueuedAt' }],
      limit: max,
    });
    const received: Stored<QueuedMessage>[] = [];
    for (const { key } of page.items) {
      // Read again with a lock: the message may have been deleted since the query.
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

/** With a receipt, deletes only if the message has not been received again since. */
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

/** Deletes, in steps, all messages that exist when it begins; returns their number. */
export async function purgeMessages({ store, clock }: Parts, queue: string): Promise<number> {
  const now = clock.now();
  return deleteAll(store, queuedMessages, { filter: allOf(present(queue, now), atMost('enqueuedAt', now)) });
}
