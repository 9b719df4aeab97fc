import { Type } from 'typebox';
import { created, noContent, ok } from '../../../kernel/http/index.ts';
import { listAnswer, listOf, listQuery, listShape, type Walk } from '../../../kernel/odata/index.ts';
import { pagesOf, type Tx } from '../../../kernel/store/index.ts';
import { routeCode, type TranslatorJar } from '../jar.ts';
import type { Account } from '../keys/account.ts';
import { type StoredKey, translatorKeys } from '../keys/collection.ts';
import { findStored } from '../keys/find.ts';
import { idOfKey, newSecret } from '../keys/secrets.ts';
import { type GivenKey, isKeyName, KEY_PROPERTIES } from '../keys/shape.ts';
import { keyErrors } from './errors.ts';

const MOST_KEYS = 10_000;

const Shown = {
  name: Type.String(),
  kind: Type.String(),
  tier: Type.Optional(Type.String()),
  region: Type.Optional(Type.String()),
  source: Type.Enum(['store', 'configuration']),
};
const ListedKey = Type.Object(Shown);
const WholeKey = Type.Object({ ...Shown, key: Type.String() });

/** Without the name, which is in the address. */
const KeyBody = Type.Unsafe<Omit<GivenKey, 'name'>>({
  type: 'object',
  additionalProperties: false,
  properties: KEY_PROPERTIES,
});

const Text = { type: 'Edm.String' } as const;
const shape = listShape<ReturnType<typeof listed>>('keys', {
  name: { ...Text, ignoreCase: true },
  kind: Text,
  tier: Text,
  region: Text,
  source: Text,
});

export const listKeys = routeCode([], {
  query: listQuery(shape),
  responses: { 200: listOf(ListedKey) },
  handle: (call) => listAnswer(call, { shape, walk: walkKeys(call.jar), view: ({ value }) => value }),
});

/** Keys of the configuration, which are few, come first; each group is sorted by name. */
function walkKeys(jar: TranslatorJar): Walk<ReturnType<typeof listed>> {
  const { byName } = jar.configuredKeys;
  const configured = [...byName].map(([name, key]) => ({ key: `0 ${name}`, value: listed(key, 'configuration') }));
  return async function* walk(after) {
    const isAmongStored = after?.startsWith('1 ') === true;
    if (!isAmongStored) {
      configured.sort((a, b) => (a.key < b.key ? -1 : 1));
      for (const item of configured) if (after === undefined || item.key > after) yield item;
    }
    const filter = isAmongStored ? ({ op: 'gt', field: 'name', value: after.slice(2) } as const) : undefined;
    for await (const page of pagesOf(jar.store, translatorKeys, {
      order: [{ field: 'name' }],
      ...(filter && { filter }),
    })) {
      for (const { value } of page) {
        const name = value.name.toLowerCase();
        // A configured key overrides a stored key of the same name.
        if (!byName.has(name)) yield { key: `1 ${name}`, value: listed(value, 'store') };
      }
    }
  };
}

export const getKey = routeCode(['name'], {
  responses: { 200: WholeKey },
  async handle({ jar, params }) {
    const configured = jar.configuredKeys.byName.get(params.name.toLowerCase());
    if (configured) return ok({ ...listed(configured, 'configuration'), key: configured.key });
    const stored = await findStored(jar.store, params.name);
    if (!stored) throw keyErrors.NoSuchKey({ name: params.name.slice(0, 200) });
    return ok(whole(jar, stored.value));
  },
});

export const putKey = routeCode(['name'], {
  body: KeyBody,
  bodyOptional: true,
  responses: { 200: WholeKey, 201: WholeKey },
  async handle({ jar, params, body }) {
    const { name } = params;
    if (!isKeyName(name)) throw keyErrors.BadKeyName({ name: name.slice(0, 200) }, { target: 'name' });
    refuseConfigured(jar, name);
    const made = newSecret();
    const { isNew, stored } = await jar.store.transact((tx) => write(tx, jar, { ...body, name }, made));
    return isNew ? created(whole(jar, stored)) : ok(whole(jar, stored));
  },
});

export const deleteKey = routeCode(['name'], {
  responses: { 204: 'Removed' },
  async handle({ jar, params: { name } }) {
    refuseConfigured(jar, name);
    const isGone = await jar.store.transact(async (tx) => {
      const stored = await findStored(tx, name);
      return stored !== undefined && tx.delete(translatorKeys, stored.key);
    });
    if (!isGone) throw keyErrors.NoSuchKey({ name: name.slice(0, 200) });
    return noContent();
  },
});

/** One write at a time, because names and secrets must be unique. */
async function write(tx: Tx, jar: TranslatorJar, { key, kind = 'translator', ...said }: GivenKey, made: string) {
  await tx.lock(translatorKeys.name);
  const before = await findStored(tx, said.name);
  const secret = key ?? (before && jar.vault.open(before.value.sealed)) ?? made;
  const id = idOfKey(secret);
  const holder = jar.configuredKeys.byId.get(id) ?? (await otherHolder(tx, id, before?.key));
  if (holder) throw keyErrors.KeyTaken({ other: holder.name }, { target: 'key' });
  if (!before && (await tx.count(translatorKeys)) >= MOST_KEYS) throw keyErrors.TooManyKeys({ maximum: MOST_KEYS });
  if (before && before.key !== id) await tx.delete(translatorKeys, before.key);
  // Keeps the casing of the name: usage is counted by name, and another casing would start a new count.
  const name = before?.value.name ?? said.name;
  const stored = await tx.put(translatorKeys, id, { ...said, name, kind, sealed: jar.vault.seal(secret) });
  return { isNew: before === undefined, stored: stored.value };
}

async function otherHolder(tx: Tx, id: string, own: string | undefined): Promise<Account | undefined> {
  return id === own ? undefined : (await tx.get(translatorKeys, id))?.value;
}

function refuseConfigured(jar: TranslatorJar, name: string): void {
  const configured = jar.configuredKeys.byName.get(name.toLowerCase());
  if (configured) throw keyErrors.KeyConfigured({ name: configured.name });
}

const listed = ({ name, kind, tier, region }: Account, source: 'store' | 'configuration') => ({
  name,
  kind,
  ...(tier !== undefined && { tier }),
  ...(region !== undefined && { region }),
  source,
});

const whole = ({ vault }: TranslatorJar, key: StoredKey) => ({ ...listed(key, 'store'), key: vault.open(key.sealed) });
