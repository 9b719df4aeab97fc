import type { Collection, Query, Store, Tx } from './types.ts';

/** Which documents, and how many of them at once. */
type Selection = Pick<Query, 'prefix' | 'filter'> & { readonly limit?: number };

/** Small enough that other writers hardly notice the transaction. */
export const SLICE = 500;

/** Deletes the first documents that a query finds, `SLICE` of them unless it says otherwise; gives how many. Fewer than that means that none is left. */
export async function deleteSome<T>(tx: Tx, from: Collection<T>, query: Selection): Promise<number> {
  const { items } = await tx.query(from, { limit: SLICE, ...query });
  for (const { key } of items) await tx.delete(from, key);
  return items.length;
}

/** A step of `runInSteps` (`work/steps.ts`): deletes a slice in a transaction, and says whether there may be more. */
export const deletingSlices =
  <T>(store: Pick<Store, 'transact'>, from: Collection<T>, query: Selection): (() => Promise<boolean>) =>
  async () =>
    (await store.transact((tx) => deleteSome(tx, from, query))) >= (query.limit ?? SLICE);

/** Deletes every document that a query finds, a slice in each transaction; gives how many. Call it where nobody adds documents that it would find. */
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
