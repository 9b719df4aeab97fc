import type { Collection, Store, Stored } from './types.ts';

/**
 * A document from memory where it is there; what memory lacks is looked for in the store, since another node may have made it a
 * moment ago. Memory follows every commit of this node at once, and those of other nodes as soon as they are heard of.
 */
export async function readThrough<T>(
  store: Store,
  collection: Collection<T>,
  key: string,
): Promise<Stored<T> | undefined> {
  return store.peek(collection, key) ?? (await store.cached(collection, key)) ?? store.get(collection, key);
}
