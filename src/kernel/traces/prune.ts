import type { Collection, Store } from '../store/types.ts';
import { pagesOf } from '../store/walk.ts';
import type { TracePage } from './types.ts';

/** Documents per read; a page of traces may contain a hundred. */
const STEP = 20;

/** Removes the oldest traces beyond the number that is kept. */
export function pruneTraces<Trace>(
  store: Store,
  pages: Collection<TracePage<Trace>>,
  kept: number,
  halt: AbortSignal,
): Promise<void> {
  return pruneOldest(store, pages, kept, ({ traces }) => traces.length, halt);
}

/**
 * Reads from the newest key to the oldest and removes everything beyond the number that is kept; in steps, so that others can write in
 * between.
 */
export async function pruneOldest<T>(
  store: Store,
  from: Collection<T>,
  kept: number,
  countOf: (value: T) => number,
  halt: AbortSignal,
): Promise<void> {
  let seen = 0;
  for await (const page of pagesOf(store, from, { order: [{ field: 'key', descending: true }], page: STEP })) {
    if (halt.aborted) return;
    const beyond: string[] = [];
    for (const { key, value } of page) {
      if (seen >= kept) beyond.push(key);
      seen += countOf(value);
    }
    if (beyond.length > 0) {
      await store.transact(async (tx) => {
        for (const key of beyond) await tx.delete(from, key);
      });
    }
  }
}
