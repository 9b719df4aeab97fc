import type { Tx } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import type { FieldRules } from '../../engine/fields.ts';
import type { Actor, PlatformCall, PlatformJar } from '../../jar.ts';
import type { RowId } from '../../limits/declared.ts';
import type { Chain } from './chain.ts';
import type { Privilege, SecurableType } from './privileges.ts';
import type { Binding, Securable } from './securables.ts';

/** Declares a kind of securable as data: its fields, parent, limits and wire format. */
export interface SecurableKind {
  readonly type: SecurableType;
  readonly above: 'metastore' | 'catalog' | 'schema';
  /** Fields of a creation, without the names of the ancestors. */
  readonly fields: FieldRules;
  /** The fields that an update may set. `new_name` is allowed by `renames`, `owner` always. */
  readonly changes: readonly string[];
  readonly renames: boolean;
  /** Name of the id field on the wire. */
  readonly idField: string;
  /** The rows of the limits table that count it. */
  readonly limits: readonly RowId[];
  /** Privilege on the parent that a creation needs; any one of several is enough. */
  readonly creates: Privilege | ((fields: JsonMembers) => Privilege | readonly Privilege[]);
  /** Kinds of its children: they prevent its deletion without `force`, and are removed with it. */
  readonly children?: readonly SecurableKind[];
  readonly hooks?: SecurableHooks;
  /** If two kinds share a type (storage credentials are credentials): whether a securable of the type belongs to this kind. */
  includes?(securable: Securable): boolean;
  /** Members of the answer beyond names, owner, times and fields; `undefined` removes a field. */
  view?(securable: Securable, context: SecurableView): JsonMembers;
}

export interface SecurableView {
  readonly chain: Chain;
  readonly fullName: string;
  readonly call: PlatformCall;
  nameOf(principal: string): string;
  /** The current state of the securable that this one `uses`; absent if it is gone. */
  readonly used: Securable | undefined;
}

export interface SecurableDraft {
  readonly name: string;
  readonly above: Chain;
  readonly fields: JsonMembers;
  readonly extra?: JsonMembers;
}

/** Additions of a check to a new or changed securable. */
export interface Addition {
  readonly fields?: JsonMembers;
  readonly extra?: JsonMembers;
  /** The id of the securable it refers to. Absent: unchanged. */
  readonly uses?: string;
  /** `null`: open to all workspaces. */
  readonly bindings?: readonly Binding[] | null;
}

/** All hooks run in the transaction; they throw to refuse. */
export interface SecurableHooks {
  /** Before a new or changed securable is written: may add fields and `extra`. `before` is absent for a new one. */
  check?(tx: Tx, call: Actor, draft: SecurableDraft, before: Securable | undefined): Promise<Addition | undefined>;
  created?(tx: Tx, call: Actor, chain: Chain): Promise<void>;
  changed?(tx: Tx, call: Actor, chain: Chain, before: Securable): Promise<void>;
  /** Before a call deletes it: throws if dependent objects forbid that. */
  removing?(tx: Tx, call: Actor, chain: Chain, options: { readonly force: boolean }): Promise<void>;
  /** After its removal, by a call or with an ancestor. Does a bounded amount of work; the rest is due work. */
  removed?(tx: Tx, jar: PlatformJar, securable: Securable): Promise<void>;
}
