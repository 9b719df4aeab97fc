import type { Jar } from '../../../kernel/service/index.ts';
import { allOf, atMost, deleteAll, eq, type Tx } from '../../../kernel/store/index.ts';
import { settle, workHandler } from '../../../kernel/work/index.ts';
import { queuedMessages } from '../collections.ts';
import { EXPIRY_WORK } from './expiry-item.ts';

/** Removes expired messages. Reads leave out an expired message at once, whether it has been removed yet or not. */
export const queueExpiry = workHandler(EXPIRY_WORK, async (item, { store, clock }: Jar) => {
  const { queue } = item.payload;
  await deleteAll(store, queuedMessages, { filter: allOf(eq('queue', queue), atMost('expiresAt', clock.now())) });
  await settle(store, item, (tx) => nextExpiry(tx, queue));
});

async function nextExpiry(tx: Tx, queue: string): Promise<number | undefined> {
  const { items } = await tx.query(queuedMessages, {
    filter: {
      op: 'and',
      args: [
        { op: 'eq', field: 'queue', value: queue },
        { op: 'ne', field: 'expiresAt', value: null },
      ],
    },
    order: [{ field: 'expiresAt' }],
    limit: 1,
  });
  return items[0]?.value.expiresAt;
}
