import type { Collection, Store, Stored } from './types.ts';

/**
 * Returns a document from the cache. On a miss, and if the cache says that there is no document, it reads the store, because another node
 * may have created the document a moment ago. The cache follows commits of this node immediately, and those of other nodes when their
 * notice arrives.
 */
export async function readCached<T>(
  store: Store,
  collection: Collection<T>,
  key: string,
): Promise<Stored<T> | undefined> {
  return store.peek(collection, key) ?? (await store.cached(collection, key)) ?? store.get(collection, key);
}
