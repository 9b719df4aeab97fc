import type { Reader } from '../../../kernel/store/index.ts';
import { isAdminOf, nameOf } from '../access/standing.ts';
import { errors } from '../errors.ts';
import { accountIn, callerIdentity, type PlatformCall, workspaceIn } from '../jar.ts';
import { type Guarded, requireLevel } from '../permissions/guard.ts';
import type { KindPermissions, ObjectKind } from './kind.ts';
import { objectKey, objects, type PlatformObject } from './objects.ts';

export const scopeOf = (call: Pick<PlatformCall, 'facts'>, { scope }: Pick<ObjectKind, 'scope'>): string =>
  scope === 'account' ? accountIn(call).id : workspaceIn(call).id;

export const notFound = ({ title }: Pick<ObjectKind, 'title'>, id: string) =>
  errors.RESOURCE_DOES_NOT_EXIST({ reason: `${title} ${id.slice(0, 200)} does not exist.` });

/** An object in the form that permission checks need. */
export const guardedObject = (type: KindPermissions['type'], { id, acl = [] }: PlatformObject): Guarded => ({
  type,
  id,
  acl,
});

/**
 * Finds an object. Throws unless the caller may read it, or has the permission that `level` names. `trashed` includes objects in the trash.
 */
export async function findObject(
  call: PlatformCall,
  kind: ObjectKind,
  id: string,
  { reader = call.jar.store, level, trashed = false, parent }: FindOptions = {},
): Promise<PlatformObject> {
  const found = (await reader.get(objects, objectKey(scopeOf(call, kind), kind.name, id)))?.value;
  if (!found || (found.trashedAt !== undefined && !trashed)) throw notFound(kind, id);
  if (parent !== undefined && found.parent !== parent) throw notFound(kind, id);
  const { permissions } = kind;
  if (permissions) requireLevel(call, guardedObject(permissions.type, found), permissions[level ?? 'read']);
  if (level && kind.changedBy === 'creator') requireCreator(call, kind, found);
  if (
    kind.parent &&
    !kind.parent.exists &&
    !(await findAbove(reader, call, kind, found.parent ?? '', level ? 'change' : 'read'))
  )
    throw notFound(kind, id);
  return found;
}

function requireCreator(call: PlatformCall, { title }: ObjectKind, { id, createdBy }: PlatformObject): void {
  const standing = callerIdentity(call);
  if (standing.principal.id === createdBy || isAdminOf(standing, workspaceIn(call))) return;
  throw errors.PERMISSION_DENIED({
    reason: `${nameOf(standing.principal)} is neither the creator of the ${title.toLowerCase()} ${id} nor an administrator.`,
  });
}

/** Whether the parent is one of these kinds. If it is not, the operation looks up the parent itself. */
export const isBelow = ({ parent }: ObjectKind): boolean => parent !== undefined && !parent.exists;

interface FindOptions {
  readonly reader?: Reader;
  readonly level?: 'change' | 'remove';
  readonly trashed?: boolean;
  /** The id of the parent, if a path names it. */
  readonly parent?: string;
}

/** Finds the parent, unless it is gone or in the trash. A change of a child requires permission to change the parent. */
export async function findAbove(
  reader: Reader,
  call: PlatformCall,
  { parent, scope }: ObjectKind,
  id: string,
  level: 'read' | 'change',
): Promise<PlatformObject | undefined> {
  if (!parent) return undefined;
  const above = (await reader.get(objects, objectKey(scopeOf(call, { scope }), parent.kind, id), 'share'))?.value;
  if (!above || above.trashedAt !== undefined) return undefined;
  const { permissions } = parent;
  if (permissions) requireLevel(call, guardedObject(permissions.type, above), permissions[level]);
  return above;
}

export async function requireAbove(
  ...[reader, call, kind, id, level]: Parameters<typeof findAbove>
): Promise<PlatformObject> {
  const above = await findAbove(reader, call, kind, id, level);
  if (above) return above;
  throw errors.RESOURCE_DOES_NOT_EXIST({
    reason: `There is no object '${id.slice(0, 200)}' for '${kind.parent?.field}'.`,
  });
}
