import type { WorkHandler } from '../../../kernel/service.ts';
import type { Collection, Page, Position, Store } from '../../../kernel/store/types.ts';
import { changeTraces, windowEnds } from './collections.ts';

/** A page of traces may have a hundred of them. */
const STEP = 20;

/** Removes traces, and what became of the windows that they name, beyond as many as are kept. */
export const pruneChanges: Pick<WorkHandler, 'run'> = {
  async run(item, { store }, halt) {
    const { kept } = item.payload as { kept: number };
    await prune(store, changeTraces, kept, ({ traces }) => traces.length, halt);
    await prune(store, windowEnds, kept, () => 1, halt);
  },
};

/** Goes from the newest to the oldest; in steps, so that others can write between them. */
async function prune<T>(
  store: Store,
  from: Collection<T>,
  kept: number,
  countOf: (value: T) => number,
  halt: AbortSignal,
): Promise<void> {
  let seen = 0;
  for (let after: Position | undefined; !halt.aborted; ) {
    const page: Page<T> = await store.query(from, {
      order: [{ field: 'key', descending: true }],
      limit: STEP,
      ...(after && { after }),
    });
    const beyond: string[] = [];
    for (const { key, value } of page.items) {
      if (seen >= kept) beyond.push(key);
      seen += countOf(value);
    }
    if (beyond.length > 0) {
      await store.transact(async (tx) => {
        for (const key of beyond) await tx.delete(from, key);
      });
    }
    if (!page.next) return;
    after = page.next;
  }
}
