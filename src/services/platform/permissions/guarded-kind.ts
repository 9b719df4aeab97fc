import type { Reader, Tx } from '../../../kernel/store/index.ts';
import type { Principal } from '../accounts/collections.ts';
import type { AclEntry } from './acl.ts';
import type { Guarded } from './guard.ts';

/** How the permissions API finds the objects of a type, and changes who is given what on one. */
export interface GuardedKind {
  find(reader: Reader, workspaceId: string, id: string): Promise<Guarded | undefined>;
  /** In a transaction that has found the object. */
  save(tx: Tx, workspaceId: string, id: string, acl: readonly AclEntry[]): Promise<void>;
  /** In such a transaction: the object belongs to somebody else. Without it, the new owner is given the most that the type has. */
  transfer?(tx: Tx, workspaceId: string, id: string, owner: Principal): Promise<void>;
  /** `object_type` in answers, where it follows from the id. */
  objectType?(id: string): string;
}
