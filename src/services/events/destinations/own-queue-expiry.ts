import { deleteAll } from '../../../kernel/store/delete-some.ts';
import { allOf, atMost, eq } from '../../../kernel/store/filters.ts';
import type { Tx } from '../../../kernel/store/types.ts';
import type { LegacyWork } from '../../../kernel/whole-service.ts';
import { settle } from '../../../kernel/work/settle.ts';
import { queuedMessages } from '../collections.ts';

/** Removes what has expired; it is shown to nobody from that moment on, whether it has been removed yet or not. */
export const queueExpiry: Pick<LegacyWork, 'run'> = {
  async run(item, { store, clock }) {
    const { queue } = item.payload as { queue: string };
    await deleteAll(store, queuedMessages, { filter: allOf(eq('queue', queue), atMost('expiresAt', clock.now())) });
    await settle(store, item, (tx) => nextExpiry(tx, queue));
  },
};

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
