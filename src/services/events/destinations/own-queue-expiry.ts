import { pause } from '../../../kernel/clock/timers.ts';
import type { Filter, Tx } from '../../../kernel/store/types.ts';
import type { LegacyWork } from '../../../kernel/whole-service.ts';
import { queuedMessages } from '../collections.ts';

const AT_ONCE = 500;
const LOOK_AGAIN_MS = 10;

/** Removes what has expired; it is shown to nobody from that moment on, whether it has been removed yet or not. */
export const queueExpiry: Pick<LegacyWork, 'run'> = {
  async run(item, { store, clock }) {
    const { queue } = item.payload as { queue: string };
    const now = clock.now();
    const expired: Filter = {
      op: 'and',
      args: [
        { op: 'eq', field: 'queue', value: queue },
        { op: 'le', field: 'expiresAt', value: now },
      ],
    };
    for (;;) {
      const { items } = await store.query(queuedMessages, { filter: expired, limit: AT_ONCE });
      if (items.length === 0) break;
      await store.transact(async (tx) => {
        for (const { key } of items) await tx.delete(queuedMessages, key);
      });
    }
    while (!(await store.transact((tx) => tx.settle(item, () => nextExpiry(tx, queue))))) await pause(LOOK_AGAIN_MS);
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
