import type { Reader, Tx } from '../../../kernel/store/index.ts';
import { objectKey, objects } from '../engine/objects.ts';
import type { AclEntry } from './acl.ts';
import type { Guarded } from './guard.ts';
import type { ObjectType } from './levels.ts';

/** A `PermissionedKind` for objects of a kind that is declared as data. */
export const guardedObjects = (type: ObjectType, kind: string) => ({
  async find(reader: Reader, workspaceId: string, id: string): Promise<Guarded | undefined> {
    const found = (await reader.get(objects, objectKey(workspaceId, kind, id)))?.value;
    return found && found.trashedAt === undefined ? { type, id, acl: found.acl ?? [] } : undefined;
  },
  async save(tx: Tx, workspaceId: string, id: string, acl: readonly AclEntry[]): Promise<void> {
    const key = objectKey(workspaceId, kind, id);
    const found = (await tx.get(objects, key))?.value;
    if (found) await tx.put(objects, key, { ...found, acl });
  },
});
