import type { Collection, Filter, Order, Reader, Stored } from '../../kernel/store/types.ts';

/** More than there are of anything that belongs to one account, app or group. */
const ALL = 1_000_000;

export const eq = (field: string, value: string) => ({ op: 'eq', field, value }) as const;

/** All documents of a list that the limits of the service keep short, in transactions too. What may be long is read with `readAll`. */
export async function listAll<T>(
  reader: Reader,
  collection: Collection<T>,
  filter: Filter,
  order: readonly Order[] = [],
): Promise<readonly Stored<T>[]> {
  return (await reader.query(collection, { filter, order, limit: ALL })).items;
}

export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Without regard to case. */
export const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  compare(a.name.toLowerCase(), b.name.toLowerCase());
