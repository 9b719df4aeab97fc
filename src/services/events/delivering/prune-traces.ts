import type { WorkHandler } from '../../../kernel/service.ts';
import { traces } from '../collections.ts';

const STEP = 500;

/** In steps, so that others can write between them. */
export const pruneTraces: Pick<WorkHandler, 'run'> = {
  async run(item, jar, halt) {
    const { kept } = item.payload as { kept: number };
    const newestFirst = [{ field: 'key', descending: true }] as const;
    while (!halt.aborted) {
      const { items } = await jar.store.query(traces, { order: newestFirst, skip: kept, limit: STEP });
      if (items.length === 0) return;
      await jar.store.transact(async (tx) => {
        for (const { key } of items) await tx.delete(traces, key);
      });
    }
  },
};
