import { Type } from 'typebox';
import { DEFAULT_TOP, nextOf, PAGE, placeOf } from '../../../kernel/http/control-paging.ts';
import { created, noContent, ok } from '../../../kernel/http/route.ts';
import type { Tx } from '../../../kernel/store/types.ts';
import { routeCode, type TranslatorJar } from '../jar.ts';
import type { Account } from '../keys/account.ts';
import { type StoredKey, translatorKeys } from '../keys/collection.ts';
import { findStored } from '../keys/find.ts';
import { idOfKey, newSecret } from '../keys/secrets.ts';
import { type GivenKey, isKeyName, KEY_PROPERTIES } from '../keys/shape.ts';
import { keyErrors } from './errors.ts';

const LIST = 'translator keys';
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

/** Without its name, which is in the address. */
const KeyBody = Type.Unsafe<Omit<GivenKey, 'name'>>({
  type: 'object',
  additionalProperties: false,
  properties: KEY_PROPERTIES,
});

export const listKeys = routeCode([], {
  query: Type.Object(PAGE, { additionalProperties: false }),
  responses: { 200: Type.Object({ value: Type.Array(ListedKey), nextLink: Type.Optional(Type.String()) }) },
  async handle(call) {
    const { jar, query } = call;
    const after = placeOf(jar, LIST, query.$skiptoken);
    const order = [{ field: 'name' }];
    const limit = query.$top ?? DEFAULT_TOP;
    const page = await jar.store.query(translatorKeys, { order, limit, ...(after && { after }) });
    const { byName } = jar.configuredKeys;
    const stored = page.items.filter(({ value }) => !byName.has(value.name.toLowerCase()));
    // All that are configured, which are few, in front of the first of the others.
    const configured = after ? [] : [...byName.values()].map((key) => listed(key, 'configuration'));
    const value = [...configured, ...stored.map((item) => listed(item.value, 'store'))];
    return ok({ value, ...nextOf(call, LIST, page.next) });
  },
});

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

/** One at a time, since neither a name nor a secret may be there twice. */
async function write(tx: Tx, jar: TranslatorJar, { key, kind = 'translator', ...said }: GivenKey, made: string) {
  await tx.lock(translatorKeys.name);
  const before = await findStored(tx, said.name);
  const secret = key ?? (before && jar.vault.open(before.value.sealed)) ?? made;
  const id = idOfKey(secret);
  const holder = jar.configuredKeys.byId.get(id) ?? (await otherHolder(tx, id, before?.key));
  if (holder) throw keyErrors.KeyTaken({ other: holder.name }, { target: 'key' });
  if (!before && (await tx.count(translatorKeys)) >= MOST_KEYS) throw keyErrors.TooManyKeys({ maximum: MOST_KEYS });
  if (before && before.key !== id) await tx.delete(translatorKeys, before.key);
  // What it has used is counted by its name, and another case of that would begin anew.
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
