import type { WorkHandler } from '../../../kernel/service.ts';
import type { Page, Position } from '../../../kernel/store/types.ts';
import { type TracePage, tracePages } from '../collections.ts';

const STEP = 200;

/** Goes from the newest to the oldest, and removes what comes after as many as are kept; in steps, so that others can write between them. */
export const pruneTraces: Pick<WorkHandler, 'run'> = {
  async run(item, { store }, halt) {
    const { kept } = item.payload as { kept: number };
    let seen = 0;
    for (let after: Position | undefined; !halt.aborted; ) {
      const page: Page<TracePage> = await store.query(tracePages, {
        order: [{ field: 'key', descending: true }],
        limit: STEP,
        ...(after && { after }),
      });
      const beyond: string[] = [];
      for (const { key, value } of page.items) {
        if (seen >= kept) beyond.push(key);
        seen += value.traces.length;
      }
      if (beyond.length > 0) {
        await store.transact(async (tx) => {
          for (const key of beyond) await tx.delete(tracePages, key);
        });
      }
      if (!page.next) return;
      after = page.next;
    }
  },
};
