import { eq } from '../../../../kernel/store/index.ts';
import { isoTime } from '../../../../kernel/time/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { guardedObject, scopeOf } from '../../engine/find.ts';
import type { KindPermissions, ObjectKind, ViewContext } from '../../engine/kind.ts';
import { objects, type PlatformObject, placeOf } from '../../engine/objects.ts';
import type { PlatformCall } from '../../jar.ts';
import { allows } from '../../permissions/guard.ts';
import { typeRow } from '../../permissions/levels.ts';

/** Fields that all objects of the older API have. */
export function legacyHead(object: PlatformObject, { nameOf }: ViewContext): JsonMembers {
  const { id, createdBy, owner = createdBy, createdAt, updatedAt, trashedAt } = object;
  return {
    id,
    user_id: Number(owner),
    user: { id: Number(owner), name: nameOf(owner), email: nameOf(owner) },
    is_archived: trashedAt !== undefined,
    is_draft: false,
    is_favorite: object.fields.is_favorite ?? false,
    created_at: isoTime(createdAt),
    updated_at: isoTime(updatedAt),
  };
}

/** The caller's permissions on the object. */
export function legacyRights(
  call: PlatformCall,
  { type, change }: KindPermissions,
  object: PlatformObject,
): JsonMembers {
  const guarded = guardedObject(type, object);
  const tier = typeRow(type).levels.findLast((level) => allows(call, guarded, level));
  return { can_edit: allows(call, guarded, change), ...(tier !== undefined && { permission_tier: tier }) };
}

const MOST_BELOW = 10_000;

/** Child objects of an object, in the order of creation. */
export async function objectsBelow(
  call: PlatformCall,
  kind: ObjectKind,
  parent: string,
): Promise<readonly PlatformObject[]> {
  const filter = eq('under', `${placeOf(scopeOf(call, kind), kind.name)}/${parent}`);
  const { items } = await call.jar.store.query(objects, { filter, order: [{ field: 'createdAt' }], limit: MOST_BELOW });
  return items.map(({ value }) => value);
}
