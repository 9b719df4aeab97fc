import type { Collection, Filter, Reader, Store, Stored } from '../../../kernel/store/types.ts';
import { findUser } from '../access/find.ts';
import { owners, type User, users } from '../collections.ts';

/** More than there are of anything that belongs to one account, app or group. */
const ALL = 1_000_000;
/** How many are asked for at once. */
const SLICE = 500;

export const eq = (field: string, value: string) => ({ op: 'eq', field, value }) as const;

/** All documents of a list that the limits of the service keep short. */
export async function readAll<T>(
  reader: Reader,
  collection: Collection<T>,
  filter: Filter,
): Promise<readonly Stored<T>[]> {
  return (await reader.query(collection, { filter, limit: ALL })).items;
}

/** The accounts of these ids, in their order; those that are gone are left out. */
export async function findUsers(store: Store, ids: readonly string[]): Promise<User[]> {
  const found: User[] = [];
  for (let at = 0; at < ids.length; at += SLICE) {
    const slice = await Promise.all(ids.slice(at, at + SLICE).map((id) => findUser(store, id)));
    for (const user of slice) if (user) found.push(user);
  }
  return found;
}

export async function userByName(reader: Reader, name: string): Promise<User | undefined> {
  const owner = (await reader.get(owners, name.toLowerCase(), 'none'))?.value;
  return owner?.kind === 'user' ? (await reader.get(users, owner.id, 'none'))?.value : undefined;
}

export async function userByEmail(reader: Reader, email: string): Promise<User | undefined> {
  const filter = eq('email', email.toLowerCase());
  return (await reader.query(users, { filter, limit: 1 })).items[0]?.value;
}

/** Without regard to case. */
export const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1;
