import type { Tx } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import type { FieldRules } from '../../engine/fields.ts';
import type { Actor, PlatformCall, PlatformJar } from '../../jar.ts';
import type { RowId } from '../../limits/declared.ts';
import type { Chain } from './chain.ts';
import type { Privilege, SecurableType } from './privileges.ts';
import type { Binding, Securable } from './securables.ts';

/** A kind of securable, as data: what it has, what it lies in, how many there may be, and how it looks on the wire. */
export interface SecurableKind {
  readonly type: SecurableType;
  readonly above: 'metastore' | 'catalog' | 'schema';
  /** What a creation may say, apart from the names of what it lies in. */
  readonly fields: FieldRules;
  /** Those of the fields that a change may say; `new_name` and `owner` are said by `renames` and always. */
  readonly changes: readonly string[];
  readonly renames: boolean;
  /** The name of its id on the wire. */
  readonly idField: string;
  /** The rows of the table of limits that count it. */
  readonly limits: readonly RowId[];
  /** What one needs on what is above to create one; one of several is enough. */
  readonly creates: Privilege | ((fields: JsonMembers) => Privilege | readonly Privilege[]);
  /** What lies in it: it keeps it from being deleted without force, and is removed with it. */
  readonly children?: readonly SecurableKind[];
  readonly hooks?: SecurableHooks;
  /** Where two kinds have one type (storage credentials are credentials): whether a securable of the type is one of these. */
  includes?(securable: Securable): boolean;
  /** What it shows beyond its names, owner, times and fields; it may leave fields out by `undefined`. */
  view?(securable: Securable, context: SecurableView): JsonMembers;
}

export interface SecurableView {
  readonly chain: Chain;
  readonly fullName: string;
  readonly call: PlatformCall;
  nameOf(principal: string): string;
  /** What the securable `uses`, as it is now; absent where it is gone. */
  readonly used: Securable | undefined;
}

export interface SecurableDraft {
  readonly name: string;
  readonly above: Chain;
  readonly fields: JsonMembers;
  readonly extra?: JsonMembers;
}

/** What a check adds to a new or changed securable. */
export interface Addition {
  readonly fields?: JsonMembers;
  readonly extra?: JsonMembers;
  /** The id of what it refers to. Absent: as before. */
  readonly uses?: string;
  /** `null`: it is open to every workspace. */
  readonly bindings?: readonly Binding[] | null;
}

/** All of them run in the transaction; they throw to refuse. */
export interface SecurableHooks {
  /** Before a new or changed one is written: may add fields and what is kept beside them. `before` is absent for a new one. */
  check?(tx: Tx, call: Actor, draft: SecurableDraft, before: Securable | undefined): Promise<Addition | undefined>;
  created?(tx: Tx, call: Actor, chain: Chain): Promise<void>;
  changed?(tx: Tx, call: Actor, chain: Chain, before: Securable): Promise<void>;
  /** Before it is deleted by a call: what depends on it may forbid it. */
  removing?(tx: Tx, call: Actor, chain: Chain, options: { readonly force: boolean }): Promise<void>;
  /** It is gone, by a call or with what was above it. Does a bounded amount of work; the rest is due work. */
  removed?(tx: Tx, jar: PlatformJar, securable: Securable): Promise<void>;
}
