import type { Reader, Tx } from '../../../kernel/store/index.ts';
import type { Principal } from '../accounts/collections.ts';
import type { AclEntry } from './acl.ts';
import type { Guarded } from './guard.ts';

/** Lets the permissions API find objects of a type and change their permissions. */
export interface PermissionedKind {
  find(reader: Reader, workspaceId: string, id: string): Promise<Guarded | undefined>;
  /** Called in a transaction that has found the object. */
  save(tx: Tx, workspaceId: string, id: string, acl: readonly AclEntry[]): Promise<void>;
  /** Called in such a transaction: transfers the object to another owner. Without it, the new owner gets the highest level of the type. */
  transfer?(tx: Tx, workspaceId: string, id: string, owner: Principal): Promise<void>;
  /** `object_type` in answers, if it depends on the id. */
  objectType?(id: string): string;
}
