import type { Collection, Query, Store, Tx } from './types.ts';

/** Selects the documents, and limits how many are deleted in one transaction. */
type Selection = Pick<Query, 'prefix' | 'filter'> & { readonly limit?: number };

/** Small enough not to delay other writers noticeably. */
export const SLICE = 500;

/**
 * Deletes the first documents that a query finds, by default `SLICE` of them, and returns their number. A number below the limit means that
 * none is left.
 */
export async function deleteSome<T>(tx: Tx, from: Collection<T>, query: Selection): Promise<number> {
  const { items } = await tx.query(from, { limit: SLICE, ...query });
  for (const { key } of items) await tx.delete(from, key);
  return items.length;
}

/** Returns a step for `runInSteps` (`work/steps.ts`) that deletes one slice in a transaction and returns true if there may be more. */
export const deletionSteps =
  <T>(store: Pick<Store, 'transact'>, from: Collection<T>, query: Selection): (() => Promise<boolean>) =>
  async () =>
    (await store.transact((tx) => deleteSome(tx, from, query))) >= (query.limit ?? SLICE);

/**
 * Deletes every document that a query finds, one slice per transaction, and returns their number. Do not call it while new matching
 * documents are being added.
 */
export async function deleteAll<T>(
  store: Pick<Store, 'transact'>,
  from: Collection<T>,
  query: Selection,
): Promise<number> {
  const { limit = SLICE } = query;
  let deleted = 0;
  for (;;) {
    const found = await store.transact((tx) => deleteSome(tx, from, query));
    deleted += found;
    if (found < limit) return deleted;
  }
}
