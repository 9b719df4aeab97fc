import { objectKey, objects } from '../engine/objects.ts';
import type { ObjectType } from './levels.ts';
import type { GuardedKind } from './registry.ts';

/** How the permissions API finds the objects of a kind that is declared as data. */
export const guardedObjects = (type: ObjectType, kind: string): GuardedKind => ({
  async find(reader, workspaceId, id) {
    const found = (await reader.get(objects, objectKey(workspaceId, kind, id)))?.value;
    return found && found.trashedAt === undefined ? { type, id, acl: found.acl ?? [] } : undefined;
  },
  async save(tx, workspaceId, id, acl) {
    const key = objectKey(workspaceId, kind, id);
    const found = (await tx.get(objects, key))?.value;
    if (found) await tx.put(objects, key, { ...found, acl });
  },
});
