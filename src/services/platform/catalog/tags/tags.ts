import type { Tx } from '../../../../kernel/store/index.ts';
import { errors } from '../../errors.ts';
import type { PlatformCall } from '../../jar.ts';
import { requirePrivilege, requireReachable } from '../core/access.ts';
import { fullNameOf } from '../core/chain.ts';
import { metastoreIn, metastoreNow } from '../core/metastore.ts';
import { record } from '../core/operations.ts';
import { type EntityTag, entityTags, tagPrefix } from './collections.ts';
import { type Entity, findEntity } from './entities.ts';

const MOST_TAGS = 50;
const LONGEST_KEY = 255;
const LONGEST_VALUE = 1000;

/** Characters that the published rules forbid in keys. */
const FORBIDDEN = /[.,\-=/:]/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for.
const CONTROL = /[\u0000-\u001f\u007f]/;

export function checkKey(key: string): string {
  const isWrong = key === '' || key.length > LONGEST_KEY || key.trim() !== key;
  if (isWrong || FORBIDDEN.test(key) || CONTROL.test(key))
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `'${key.slice(0, 100)}' is not a valid tag_key: it must have 1 to ${LONGEST_KEY} characters, none of . , - = / : and no leading or trailing blanks.`,
    });
  return key;
}

export function checkValue(value: string): string {
  if (value.length > LONGEST_VALUE)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `A tag_value must have at most ${LONGEST_VALUE} characters.` });
  return value;
}

const keyOf = ({ chain, column }: Entity, key: string): string => `${tagPrefix(chain.target.id, column)}${key}`;

export const noTag = ({ chain, column }: Entity, key: string) =>
  errors.RESOURCE_DOES_NOT_EXIST({
    reason: `Tag '${key.slice(0, 255)}' of '${fullNameOf(chain)}${column === undefined ? '' : `.${column}`}' does not exist.`,
  });

/**
 * Runs a transaction for a caller with `APPLY_TAG`. The tagged securable is locked until it ends, so that a later removal finds the tags.
 */
function changeTags<R>(
  call: PlatformCall,
  type: string,
  name: string,
  change: (tx: Tx, entity: Entity) => Promise<R>,
): Promise<R> {
  return metastoreIn(call).then((metastore) =>
    call.jar.store.transact(async (tx) => {
      const entity = await findEntity(tx, await metastoreNow(tx, metastore), type, name, 'share');
      requirePrivilege(call, entity.chain, 'APPLY_TAG');
      requireReachable(call, entity.chain, { writes: true });
      const result = await change(tx, entity);
      await record(tx, call, 'tag', entity.chain);
      return result;
    }),
  );
}

export const createTag = (call: PlatformCall, type: string, name: string, read: () => readonly [string, string]) =>
  changeTags(call, type, name, async (tx, entity) => {
    const [key, value] = read();
    const prefix = tagPrefix(entity.chain.target.id, entity.column);
    await tx.lock(`platform.tags:${prefix}`);
    if (await tx.get(entityTags, keyOf(entity, key)))
      throw errors.ALREADY_EXISTS({ reason: `Tag '${key}' of '${fullNameOf(entity.chain)}' already exists.` });
    if ((await tx.count(entityTags, { prefix })) >= MOST_TAGS)
      throw errors.INVALID_PARAMETER_VALUE({ reason: `An entity can have at most ${MOST_TAGS} tags.` });
    const { column } = entity;
    const tag: EntityTag = { securable: entity.chain.target.id, ...(column !== undefined && { column }), key, value };
    await tx.put(entityTags, keyOf(entity, key), tag);
    return tag;
  });

export const changeTag = (call: PlatformCall, type: string, name: string, key: string, read: () => string) =>
  changeTags(call, type, name, async (tx, entity) => {
    const before = (await tx.get(entityTags, keyOf(entity, key)))?.value;
    if (!before) throw noTag(entity, key);
    const tag: EntityTag = { ...before, value: read() };
    await tx.put(entityTags, keyOf(entity, key), tag);
    return tag;
  });

export const deleteTag = (call: PlatformCall, type: string, name: string, key: string) =>
  changeTags(call, type, name, async (tx, entity) => {
    if (!(await tx.delete(entityTags, keyOf(entity, key)))) throw noTag(entity, key);
  });
