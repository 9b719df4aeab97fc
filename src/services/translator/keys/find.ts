import type { Reader } from '../../../kernel/store/index.ts';
import type { TranslatorJar } from '../jar.ts';
import type { Account } from './account.ts';
import { translatorKeys } from './collection.ts';

type Keyed = Pick<TranslatorJar, 'configuredKeys' | 'store'>;

/** The account of a key id, or undefined. Cached, because every request needs it. */
export async function findAccount(jar: Keyed, id: string): Promise<Account | undefined> {
  const { byId, byName } = jar.configuredKeys;
  const configured = byId.get(id);
  if (configured) return configured;
  const stored = (jar.store.peek(translatorKeys, id) ?? (await jar.store.cached(translatorKeys, id)))?.value;
  return stored && !byName.has(stored.name.toLowerCase()) ? stored : undefined;
}

/** The stored key of a name, ignoring case. */
export async function findStored(reader: Reader, name: string) {
  const filter = { op: 'eq', field: 'name', value: name.toLowerCase() } as const;
  return (await reader.query(translatorKeys, { filter, limit: 1 })).items[0];
}

export async function findAccountByName(jar: Keyed, name: string): Promise<Account | undefined> {
  return jar.configuredKeys.byName.get(name.toLowerCase()) ?? (await findStored(jar.store, name))?.value;
}
