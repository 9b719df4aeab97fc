import type { TranslatorJar } from '../jar.ts';
import { translatorKeys } from './collection.ts';
import { findStored } from './find.ts';
import { DEFAULT_KEY } from './seed.ts';

/** The key that `GET /_jar/keys` shows: the seeded one, otherwise the first. */
export async function shownKey(jar: TranslatorJar): Promise<string | undefined> {
  const { byName } = jar.configuredKeys;
  const configured = byName.get(DEFAULT_KEY);
  if (configured?.kind === 'translator') return configured.key;
  const seeded = (await findStored(jar.store, DEFAULT_KEY))?.value;
  if (seeded?.kind === 'translator' && !configured) return jar.vault.open(seeded.sealed);
  const stored = await jar.store.query(translatorKeys, { order: [{ field: 'name' }], limit: 1000 });
  const usable = stored.items.find(({ value }) => value.kind === 'translator' && !byName.has(value.name.toLowerCase()));
  if (usable) return jar.vault.open(usable.value.sealed);
  return [...byName.values()].find(({ kind }) => kind === 'translator')?.key;
}
