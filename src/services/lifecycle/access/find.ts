import type { Collection, Reader, Store, Stored } from '../../../kernel/store/index.ts';
import {
  type App,
  appNames,
  apps,
  nameKey,
  type Org,
  type Owner,
  orgs,
  owners,
  type User,
  users,
} from '../collections.ts';

/** What the names in an address mean. From memory, since every request asks. */
async function known<T>(store: Store, collection: Collection<T>, key: string): Promise<Stored<T> | undefined> {
  return store.peek(collection, key) ?? (await store.cached(collection, key));
}

/** Where rights are read from: in a transaction as they are, outside of one from memory where that cannot be old. */
export type Source = Store | Pick<Reader, 'get'>;

/**
 * Where nobody else writes, memory is exact. Where others do, another node may have taken a role away a moment ago, and a token
 * must not be good for longer than that.
 */
export async function current<T>(
  source: Source,
  collection: Collection<T>,
  key: string,
): Promise<Stored<T> | undefined> {
  if ('hasOtherWriters' in source && !source.hasOtherWriters) return known(source, collection, key);
  return source.get(collection, key, 'none');
}

export async function findUser(store: Store, id: string): Promise<User | undefined> {
  return (await known(store, users, id))?.value;
}

export async function findOwner(store: Store, name: string): Promise<Owner | undefined> {
  return (await known(store, owners, name.toLowerCase()))?.value;
}

export async function findOrg(store: Store, name: string): Promise<Org | undefined> {
  const owner = await findOwner(store, name);
  return owner?.kind === 'org' ? (await known(store, orgs, owner.id))?.value : undefined;
}

/** What its name means is from memory; whose it is and which teams have it decides about rights, and is as it is now. */
export async function findApp(store: Store, ownerName: string, appName: string): Promise<App | undefined> {
  const owner = await findOwner(store, ownerName);
  const named = owner && (await known(store, appNames, nameKey(owner.id, appName)));
  return named && (await current(store, apps, named.value.appId))?.value;
}

/** As it is named in an answer. */
export async function findOwnerAccount(store: Store, { kind, id }: Owner): Promise<User | Org | undefined> {
  return kind === 'user' ? findUser(store, id) : (await known(store, orgs, id))?.value;
}
