import type { Tx } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';

import type { PlatformCall, PlatformJar } from '../jar.ts';
import type { RowId } from '../limits/declared.ts';

import type { ObjectType } from '../permissions/levels.ts';
import type { FieldRules } from './fields.ts';
import type { PlatformObject } from './objects.ts';

/** Declares a kind of object as data: its fields, parent, limits and wire format. */
export interface ObjectKind {
  /** For example `instance-pools`. Part of stored keys, so it never changes. */
  readonly name: string;
  /** For messages, for example `Instance pool`. */
  readonly title: string;
  readonly scope: 'workspace' | 'account';
  readonly fields: FieldRules;
  /** Name of the id field on the wire. */
  readonly idField: string;
  /** Default: a UUID. */
  newId?(): string;
  /** The field that contains its name, by which lists can be ordered. */
  readonly nameField?: string;
  /** Where names are unique: in the scope, below one parent, or in one folder. Objects in the trash do not count. */
  readonly unique?: 'scope' | 'parent' | 'folder';
  /** The field that names its workspace folder. */
  readonly folderField?: string;
  /** The field by which a change sets another owner. */
  readonly ownerField?: string;
  /** Objects have an etag, which changes with each write. */
  readonly etags?: true;
  readonly parent?: ParentRule;
  /** Kinds whose objects belong to an object of this kind and are removed with it. */
  readonly children?: readonly ObjectKind[];
  /** The row of the limits table that counts it: per scope, or per scope and parent if the row says so. */
  readonly limit?: RowId;
  /** Permissions by operation. Absent: all members of the workspace, or the callers that the operation accepts. */
  readonly permissions?: KindPermissions;
  /** All users may read it; only its creator and administrators may change or remove it. */
  readonly changedBy?: 'creator';
  /** Retention of deleted objects in the trash. */
  readonly trashDays?: number;
  /** Rules that data cannot express. */
  readonly hooks?: KindHooks;
  /** The object on the wire. Default: the id and the fields. */
  view?(object: PlatformObject, context: ViewContext): JsonMembers;
  /** The object in a list, if different. */
  listed?(object: PlatformObject, context: ViewContext): JsonMembers;
}

export interface ParentRule {
  /** Name of the parent's kind. */
  readonly kind: string;
  /** The field that names the parent. */
  readonly field: string;
  /** If the parent is not one of these kinds: whether it exists. Locks it, so that it is not removed before this transaction ends. */
  exists?(tx: Tx, call: PlatformCall, id: string): Promise<boolean>;
  /** The parent's permissions, if they control access to its children. */
  readonly permissions?: KindPermissions;
}

export interface KindPermissions {
  readonly type: ObjectType;
  /** The levels that these operations need; `create` needs none. */
  readonly read: string;
  readonly change: string;
  readonly remove: string;
}

/** Names of principals for views. */
export interface ViewContext {
  nameOf(principal: string): string;
}

export interface Draft {
  readonly fields: JsonMembers;
  readonly parent: string | undefined;
}

/** All hooks run in the transaction, before it writes; they throw to refuse. */
export interface KindHooks {
  /** May add fields to a new or changed object, or refuse it. `before` is absent for a new one. */
  check?(
    tx: Tx,
    call: PlatformCall,
    draft: Draft,
    before: PlatformObject | undefined,
  ): Promise<JsonMembers | undefined>;
  created?(tx: Tx, call: PlatformCall, object: PlatformObject): Promise<void>;
  changed?(tx: Tx, call: PlatformCall, object: PlatformObject, before: PlatformObject): Promise<void>;
  /** After its final removal, by a call or at the end of its time in the trash. */
  deleted?(tx: Tx, jar: PlatformJar, object: PlatformObject): Promise<void>;
}
