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

/** Resolves the names in a URL. Served from the cache, because every request needs it. */
async function known<T>(store: Store, collection: Collection<T>, key: string): Promise<Stored<T> | undefined> {
  return store.peek(collection, key) ?? (await store.cached(collection, key));
}

/** Where rights are read from: a transaction, or the store, which uses its cache if that cannot be stale. */
export type Source = Store | Pick<Reader, 'get'>;

/**
 * Reads from the cache only if no other process writes to the store. Otherwise another node may have revoked a role a moment ago, and the
 * token must not keep it.
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

/** Resolves the app's name from the cache. The app document itself is read fresh, because its owner and teams determine rights. */
export async function findApp(store: Store, ownerName: string, appName: string): Promise<App | undefined> {
  const owner = await findOwner(store, ownerName);
  const named = owner && (await known(store, appNames, nameKey(owner.id, appName)));
  return named && (await current(store, apps, named.value.appId))?.value;
}

/** The owner's account, as named in responses. */
export async function findOwnerAccount(store: Store, { kind, id }: Owner): Promise<User | Org | undefined> {
  return kind === 'user' ? findUser(store, id) : (await known(store, orgs, id))?.value;
}
