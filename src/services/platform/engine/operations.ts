import { etag, uuid } from '../../../kernel/ids/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { allOf, eq } from '../../../kernel/store/index.ts';
import { DAY_MS } from '../../../kernel/time/index.ts';
import { type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import { errors } from '../errors.ts';
import { callerIdentity, type PlatformCall } from '../jar.ts';
import { takeCount } from '../limits/take.ts';
import { creatorAcl } from '../permissions/guard.ts';
import { PURGE_OBJECT, purgeId } from '../work.ts';
import { checkFixed, completeFields, fixedOf, readFields } from './fields.ts';
import { findObject, requireAbove, scopeOf } from './find.ts';
import type { ObjectKind } from './kind.ts';
import { checkMask, isWhole, maskedFields, withMaskedParts } from './mask.ts';
import { objects, type PlatformObject, placeOf } from './objects.ts';
import { transferOwner } from './owner.ts';
import { countOf, keyOf, removeObject } from './removal.ts';

/** Operations on objects of kinds that are declared as data. Each is one transaction. */

export async function createObject(call: PlatformCall, kind: ObjectKind, sent: unknown): Promise<PlatformObject> {
  const { jar } = call;
  const said = completeFields(kind.fields, readFields(kind.fields, sent));
  return jar.store.transact(async (tx) => {
    const parent = await parentOf(tx, call, kind, said);
    const fields = { ...said, ...(await kind.hooks?.check?.(tx, call, { fields: said, parent }, undefined)) };
    const now = jar.clock.now();
    const { id: by } = callerIdentity(call).principal;
    const name = kind.nameField && fields[kind.nameField];
    const object: PlatformObject = {
      kind: kind.name,
      scope: scopeOf(call, kind),
      id: kind.newId?.() ?? uuid(),
      ...(parent !== undefined && { parent }),
      ...(typeof name === 'string' && { name }),
      ...folderOf(kind, fields),
      ...newEtag(kind),
      createdBy: by,
      updatedBy: by,
      createdAt: now,
      updatedAt: now,
      ...(kind.permissions && { acl: creatorAcl(call, kind.permissions.type) }),
      fields,
    };
    if (kind.unique) await checkUnique(tx, kind, object);
    if (kind.limit) await takeCount(tx, jar, countOf(kind, object));
    await tx.put(objects, keyOf(object), object, { ifNoneMatch: '*' });
    await kind.hooks?.created?.(tx, call, object);
    await record(tx, call, 'create', object);
    return object;
  });
}

export interface ObjectChange {
  /** Fields that the request lacks are reset to their defaults; otherwise they stay. */
  readonly replaces?: boolean;
  /**
   * Only these fields, or parts of them (`schedule.pause_status`), change; one that the request lacks is removed. `*` replaces the object.
   */
  readonly mask?: readonly string[];
  /** Only if the object still has this etag. */
  readonly ifEtag?: string | undefined;
  readonly parent?: string;
}

export async function changeObject(
  call: PlatformCall,
  kind: ObjectKind,
  id: string,
  sent: unknown,
  { replaces = false, mask, ifEtag, parent }: ObjectChange = {},
): Promise<PlatformObject> {
  return call.jar.store.transact(async (tx) => {
    const options = { reader: tx, level: 'change', ...(parent !== undefined && { parent }) } as const;
    const before = await findObject(call, kind, id, options);
    checkEtag(before, ifEtag);
    const complete = completeFields(kind.fields, wantedFields(kind, before, sent, { replaces, mask }));
    const fields = {
      ...complete,
      ...(await kind.hooks?.check?.(tx, call, { fields: complete, parent: before.parent }, before)),
    };
    const name = kind.nameField && fields[kind.nameField];
    const after: PlatformObject = {
      ...before,
      ...(typeof name === 'string' && { name }),
      ...folderOf(kind, fields),
      ...newEtag(kind),
      updatedAt: call.jar.clock.now(),
      updatedBy: callerIdentity(call).principal.id,
      ...(isNamed(kind.ownerField, mask) && (await transferOwner(tx, call, kind, before, sent))),
      fields,
    };
    const isMoved = after.name !== before.name || after.folder !== before.folder;
    if (kind.unique && isMoved) await checkUnique(tx, kind, after);
    await tx.put(objects, keyOf(after), after);
    await kind.hooks?.changed?.(tx, call, after, before);
    await record(tx, call, 'update', after);
    return after;
  });
}

/** The resulting fields, before defaults. */
function wantedFields(
  kind: ObjectKind,
  before: PlatformObject,
  sent: unknown,
  { replaces, mask }: { readonly replaces: boolean; readonly mask: readonly string[] | undefined },
): JsonMembers {
  if (mask) checkMask(mask, kind.fields, (name) => isShownOf(kind, before, name));
  if (replaces || (mask && isWhole(mask))) {
    const said = readFields(kind.fields, sent);
    checkFixed(kind.fields, before.fields, said);
    return { ...fixedOf(kind.fields, before.fields), ...said };
  }
  if (!mask) {
    const said = readFields(kind.fields, sent);
    checkFixed(kind.fields, before.fields, said);
    return { ...before.fields, ...said };
  }
  const all = readFields(kind.fields, withMaskedParts(before.fields, sent, mask));
  // Fields that occur only in answers never change.
  const named = maskedFields(mask).filter((name) => Object.hasOwn(kind.fields, name) && !kind.fields[name]?.readOnly);
  const said = Object.fromEntries(named.map((name) => [name, all[name]]));
  checkFixed(kind.fields, before.fields, said);
  return omitAbsent({ ...before.fields, ...said, ...fixedOf(kind.fields, before.fields) });
}

/** Occurs only in answers. */
function isShownOf(kind: ObjectKind, object: PlatformObject, name: string): boolean {
  if (name === kind.idField || name === kind.ownerField) return true;
  return Object.hasOwn(kind.view?.(object, { nameOf: (principal) => principal }) ?? {}, name);
}

/** Changes the object's `extra`; its fields stay. `action` is recorded in the change feed. */
export const updateExtra = (
  call: PlatformCall,
  kind: ObjectKind,
  id: string,
  action: string,
  extraOf: (object: PlatformObject) => JsonMembers,
): Promise<PlatformObject> =>
  call.jar.store.transact(async (tx) => {
    const before = await findObject(call, kind, id, { reader: tx, level: 'change' });
    const after: PlatformObject = { ...before, extra: extraOf(before) };
    await tx.put(objects, keyOf(after), after);
    await record(tx, call, action, after);
    return after;
  });

/** Before a change or removal: throws if the etag is not the object's. */
export function checkEtag({ etag, id }: PlatformObject, sent: string | undefined): void {
  if (sent === undefined || sent === '' || sent === etag) return;
  throw errors.ABORTED({ reason: `The etag '${sent.slice(0, 100)}' is not the current etag of ${id}.` });
}

export interface Removal {
  /** Bypasses the trash. */
  readonly forGood?: boolean;
  readonly ifEtag?: string | undefined;
  readonly parent?: string;
}

/** Moves an object to the trash if the kind has one; otherwise removes it. */
export const deleteObject = (
  call: PlatformCall,
  kind: ObjectKind,
  id: string,
  { forGood = false, ifEtag, parent }: Removal = {},
): Promise<void> =>
  call.jar.store.transact(async (tx) => {
    const options = { reader: tx, level: 'remove', trashed: forGood, ...(parent !== undefined && { parent }) } as const;
    const object = await findObject(call, kind, id, options);
    checkEtag(object, ifEtag);
    if (kind.trashDays === undefined || forGood) {
      if (object.trashedAt !== undefined) await tx.cancel(purgeId(keyOf(object)));
      await removeObject(tx, call.jar, kind, object);
    } else {
      const now = call.jar.clock.now();
      await tx.put(objects, keyOf(object), { ...object, ...newEtag(kind), trashedAt: now });
      const dueAt = now + kind.trashDays * DAY_MS;
      await tx.schedule({
        kind: PURGE_OBJECT.kind,
        id: purgeId(keyOf(object)),
        dueAt,
        payload: { key: keyOf(object) },
      });
    }
    await record(tx, call, 'delete', object);
  });

/** Restores an object from the trash. */
export const restoreObject = (call: PlatformCall, kind: ObjectKind, id: string): Promise<PlatformObject> =>
  call.jar.store.transact(async (tx) => {
    const { trashedAt, ...found } = await findObject(call, kind, id, { reader: tx, level: 'remove', trashed: true });
    if (trashedAt === undefined) return found;
    const object: PlatformObject = { ...found, ...newEtag(kind) };
    // Its name may have been used by another object meanwhile.
    if (kind.unique) await checkUnique(tx, kind, object);
    await tx.put(objects, keyOf(object), object);
    await tx.cancel(purgeId(keyOf(object)));
    await record(tx, call, 'restore', object);
    return object;
  });

async function parentOf(tx: Tx, call: PlatformCall, kind: ObjectKind, said: JsonMembers): Promise<string | undefined> {
  const { parent } = kind;
  if (!parent) return undefined;
  const id = String(said[parent.field]);
  if (parent.exists && (await parent.exists(tx, call, id))) return id;
  return (await requireAbove(tx, call, kind, id, 'change')).id;
}

function folderOf({ folderField }: ObjectKind, fields: JsonMembers): Pick<PlatformObject, 'folder'> {
  const folder = folderField && fields[folderField];
  return typeof folder === 'string' ? { folder } : {};
}

const newEtag = ({ etags }: ObjectKind): Pick<PlatformObject, 'etag'> => (etags ? { etag: etag() } : {});

async function checkUnique(
  tx: Tx,
  kind: ObjectKind,
  { scope, parent, name, folder, id }: PlatformObject,
): Promise<void> {
  if (name === undefined) return;
  const place = placeOf(scope, kind.name);
  await tx.lock(`platform.names:${place}:${name.toLowerCase()}`);
  const within =
    kind.unique === 'parent'
      ? eq('under', `${place}/${parent}`)
      : kind.unique === 'folder'
        ? eq('folder', `${place}/${(folder ?? '').toLowerCase()}`)
        : eq('place', place);
  const filter = allOf(within, eq('name', name.toLowerCase()), eq('trashedAt', null));
  const { items } = await tx.query(objects, { filter, limit: 2 });
  if (items.every(({ value }) => value.id === id)) return;
  throw errors.RESOURCE_ALREADY_EXISTS({ reason: `${kind.title} with name ${name.slice(0, 200)} already exists.` });
}

const isNamed = (field: string | undefined, mask: readonly string[] | undefined): boolean =>
  field !== undefined && (!mask || mask.includes(field) || isWhole(mask));

/** For the audit trail and the change feed. */
const record = (tx: Tx, { jar }: PlatformCall, kind: string, { scope, kind: of, id }: PlatformObject): Promise<void> =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/${scope}/${of}/${id}`,
    outcome: 'Succeeded',
    at: jar.clock.now(),
    data: { kind: of, id },
  });
