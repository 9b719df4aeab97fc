import type { Tx } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';

import type { PlatformCall, PlatformJar } from '../jar.ts';
import type { RowId } from '../limits/declared.ts';

import type { ObjectType } from '../permissions/levels.ts';
import type { FieldRules } from './fields.ts';
import type { PlatformObject } from './objects.ts';

/** A kind of object, as data: what it has, where it belongs, how many there may be, and how it looks on the wire. */
export interface ObjectKind {
  /** `instance-pools`: part of stored keys, so it never changes. */
  readonly name: string;
  /** In messages: `Instance pool`. */
  readonly title: string;
  readonly scope: 'workspace' | 'account';
  readonly fields: FieldRules;
  /** The name of its id on the wire. */
  readonly idField: string;
  /** A UUID unless given. */
  newId?(): string;
  /** The field that is its name, by which lists may be ordered. */
  readonly nameField?: string;
  /** No two have the same name: in the scope, below one parent, or in one folder. Objects in the trash do not count. */
  readonly unique?: 'scope' | 'parent' | 'folder';
  /** The field that names the folder of the workspace in which it is. */
  readonly folderField?: string;
  /** The field by which a change names another owner. */
  readonly ownerField?: string;
  /** Objects have an etag, which differs after each write. */
  readonly etags?: true;
  readonly parent?: ParentRule;
  /** The kinds whose objects belong to one of this kind and are removed with it. */
  readonly children?: readonly ObjectKind[];
  /** The row of the table of limits that counts it: by scope, or by scope and parent where the row says so. */
  readonly limit?: RowId;
  /** Who may do what; absent: everybody in the workspace, or those whom the operation lets in. */
  readonly permissions?: KindPermissions;
  /** Everybody reads it; only whoever made it, and administrators, change or remove it. */
  readonly changedBy?: 'creator';
  /** Deleted ones stay in the trash for so long. */
  readonly trashDays?: number;
  /** What only code can say. */
  readonly hooks?: KindHooks;
  /** The object on the wire. Without it: the id and the fields. */
  view?(object: PlatformObject, context: ViewContext): JsonMembers;
  /** The object in a list, where that differs. */
  listed?(object: PlatformObject, context: ViewContext): JsonMembers;
}

export interface ParentRule {
  /** The name of the kind above. */
  readonly kind: string;
  /** The field that names the object above. */
  readonly field: string;
  /** Whether there is such an object, where the kind above is not one of these kinds. Locks it, so that it does not go before this transaction ends. */
  exists?(tx: Tx, call: PlatformCall, id: string): Promise<boolean>;
  /** The permissions of the kind above, where they decide who may do what with the objects below. */
  readonly permissions?: KindPermissions;
}

export interface KindPermissions {
  readonly type: ObjectType;
  /** The levels that these operations need; `create` needs none. */
  readonly read: string;
  readonly change: string;
  readonly remove: string;
}

/** Names of people, as views show them. */
export interface ViewContext {
  nameOf(principal: string): string;
}

export interface Draft {
  readonly fields: JsonMembers;
  readonly parent: string | undefined;
}

/** All of them run in the transaction, before it writes; they throw to refuse. */
export interface KindHooks {
  /** May add to the fields of a new or changed object, or refuse them. `before` is absent for a new one. */
  check?(
    tx: Tx,
    call: PlatformCall,
    draft: Draft,
    before: PlatformObject | undefined,
  ): Promise<JsonMembers | undefined>;
  created?(tx: Tx, call: PlatformCall, object: PlatformObject): Promise<void>;
  changed?(tx: Tx, call: PlatformCall, object: PlatformObject, before: PlatformObject): Promise<void>;
  /** It is gone for good, by a call or by the end of its time in the trash. */
  deleted?(tx: Tx, jar: PlatformJar, object: PlatformObject): Promise<void>;
}
