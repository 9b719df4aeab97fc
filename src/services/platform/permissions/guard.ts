import type { Filter } from '../../../kernel/store/index.ts';
import { isAdminOf, nameOf } from '../access/standing.ts';
import { errors } from '../errors.ts';
import { callerIdentity, type PlatformCall, workspaceIn } from '../jar.ts';
import type { AclEntry } from './acl.ts';
import { type ObjectType, rankOf, typeRow } from './levels.ts';

/** An object in the form that permission checks need. */
export interface Guarded {
  readonly type: ObjectType;
  readonly id: string;
  readonly acl: readonly AclEntry[];
  /** The objects that it inherits permissions from, the nearest first. */
  readonly parents?: readonly Guarded[];
}

type GuardedCall = Pick<PlatformCall, 'facts'>;

/** Whether the caller has at least this level. Administrators of the workspace have every permission. */
export function allows(call: GuardedCall, guarded: Guarded, level: string): boolean {
  const standing = callerIdentity(call);
  if (isAdminOf(standing, workspaceIn(call))) return true;
  const held = new Set(standing.ids);
  const given = ({ type, acl }: Guarded, least: number): boolean =>
    acl.some((entry) => held.has(entry.principal) && rankOf(type, entry.level) >= least);
  if (given(guarded, rankOf(guarded.type, level))) return true;
  // Directories have the same levels as their content.
  return (guarded.parents ?? []).some((parent) => given(parent, rankOf(parent.type, level)));
}

/** Throws if the caller has less than this level; `reason` is the API's own message, if it has one. */
export function requireLevel(call: GuardedCall, guarded: Guarded, level: string, reason?: string): void {
  if (allows(call, guarded, level)) return;
  const { objectType, refusal } = typeRow(guarded.type);
  const user = nameOf(callerIdentity(call).principal);
  throw errors.PERMISSION_DENIED({
    reason:
      reason ??
      refusal?.(user, guarded.id) ??
      `${user} does not have ${level} permissions on ${objectType} ${guarded.id}. Please contact the owner or an administrator for access.`,
  });
}

/** Filter of lists for callers who are not administrators: only objects whose set `readers` names the caller or one of its groups. */
export function readersFilter(call: GuardedCall): Filter | undefined {
  const standing = callerIdentity(call);
  if (isAdminOf(standing, workspaceIn(call))) return undefined;
  return { op: 'hasAny', field: 'readers', values: [...standing.ids] };
}

/** The permissions of a new object: its creator manages it, or owns it if the type has owners. */
export function creatorAcl(call: GuardedCall, type: ObjectType): readonly AclEntry[] {
  const { principal } = callerIdentity(call);
  const { owned, levels } = typeRow(type);
  const level = owned ? 'IS_OWNER' : levels.at(-1);
  return [{ kind: principal.kind, principal: principal.id, level: level as string }];
}
