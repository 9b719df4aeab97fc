import type { Collection, Store } from '../../../../src/kernel/store/types.ts';

const BATCH = 1000;

/** One collection, and what a test wants in it. */
export interface Many {
  readonly collection: Collection<never>;
  readonly documents: readonly (readonly [key: string, value: object])[];
}

/**
 * Fills a store with thousands of documents that are there before a test begins, as a restored snapshot does: one by one they would cost a
 * round trip to PostgreSQL each. What else was in the store is gone.
 */
export function loadMany(store: Store, ...all: readonly Many[]): Promise<void> {
  return store.wipe(async (_tx, load) => {
    for (const { collection, documents } of all) {
      for (let from = 0; from < documents.length; from += BATCH) {
        const rows = documents
          .slice(from, from + BATCH)
          .map(([key, value]) => [key, `loaded-${key}`, JSON.stringify(value)] as const);
        await load({ of: 'documents', collection: collection.name, rows });
      }
    }
  });
}
