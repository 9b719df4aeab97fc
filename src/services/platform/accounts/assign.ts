import type { Jar } from '../../../kernel/service/index.ts';
import { eq, pagesOf, type Reader, readAll, type Tx } from '../../../kernel/store/index.ts';
import { endTokens, type TokensOf } from '../tokens/tokens.ts';
import {
  ACCOUNT_ADMIN,
  entitlements,
  entitlementsKey,
  memberships,
  type Principal,
  principalPlace,
  principals,
  type Workspace,
} from './collections.ts';
import { identityErrors } from './errors.ts';
import { addMembers, allMembersOf, groupsOfEach, removeMembers } from './members.ts';
import { principalOf, principalsOf, putPrincipal } from './principals.ts';
import { purgeUserId } from './work.ts';

/**
 * Assignment of an account's principals to its workspaces: an assigned principal is a member of the group `users`, and of `admins` if it
 * administers the workspace. Writers hold the account lock.
 */

export const isAssigned = ({ workspaces = [] }: Principal, workspaceId: string): boolean =>
  workspaces.includes(workspaceId);

/** Assigns a principal to a workspace, as administrator or not. If `isAdmin` is undefined, an assigned principal keeps its role. */
export async function assign(
  tx: Tx,
  jar: Pick<Jar, 'limits'>,
  principal: Principal,
  workspace: Workspace,
  isAdmin?: boolean,
): Promise<Principal> {
  const { accountId } = principal;
  await addMembers(tx, jar, systemGroup(accountId, workspace.usersGroup), [principal]);
  const admins = systemGroup(accountId, workspace.adminsGroup);
  if (isAdmin === true) await addMembers(tx, jar, admins, [principal]);
  if (isAdmin === false) await removeMembers(tx, admins, [principal.id]);
  if (isAssigned(principal, workspace.id)) return principal;
  if (principal.kind === 'user') await tx.cancel(purgeUserId(accountId, principal.id));
  return putPrincipal(tx, { ...principal, workspaces: [...(principal.workspaces ?? []), workspace.id] });
}

/** For a new account: adds members to a system group that is still empty. */
export const joinSystemGroup = (
  tx: Tx,
  jar: Pick<Jar, 'limits'>,
  accountId: string,
  group: string,
  members: readonly Principal[],
): Promise<number> => addMembers(tx, jar, systemGroup(accountId, group), members);

const systemGroup = (accountId: string, id: string): Principal => ({
  accountId,
  id,
  kind: 'group',
  system: true,
  active: true,
  roles: [],
  createdAt: 0,
  updatedAt: 0,
});

/** Removes a principal from a workspace, with its memberships in groups of the workspace, its entitlements and tokens there. */
export async function unassign(
  tx: Tx,
  jar: Pick<Jar, 'limits' | 'clock'>,
  principal: Principal,
  workspace: Workspace,
): Promise<Principal> {
  const { accountId, id } = principal;
  const direct = (await groupsOfEach(tx, accountId, [id])).get(id) ?? [];
  for (const group of (await principalsOf(tx, accountId, direct)).values())
    if (group.workspaceId === workspace.id) await removeMembers(tx, group, [id]);
  await tx.delete(entitlements, entitlementsKey(workspace.id, id));
  await removeTokens(tx, jar, { workspaceId: workspace.id, principal: id });
  const without = (list: readonly string[] = []) => list.filter((each) => each !== workspace.id);
  return putPrincipal(tx, {
    ...principal,
    workspaces: without(principal.workspaces),
    inactiveIn: without(principal.inactiveIn),
  });
}

/** Removes all tokens in the transaction that ends the owner's access, however many there are. */
export async function removeTokens(tx: Tx, jar: Pick<Jar, 'limits' | 'clock'>, of: TokensOf): Promise<void> {
  while (await endTokens(tx, jar, of));
}

/** The account's groups that are assigned to a workspace. */
export const assignedGroups = async (reader: Reader, { accountId, id }: Workspace): Promise<readonly Principal[]> => {
  const inPlace = eq('place', principalPlace(accountId, 'group'));
  const filter = { op: 'and', args: [inPlace, { op: 'has', field: 'workspaces', value: id }] } as const;
  return (await readAll(reader, principals, { filter })).map(({ value }) => value);
};

/**
 * The principals that belong to a workspace through an assigned group. Returns undefined if no group is assigned, the usual case, which
 * costs one query.
 */
export async function assignedByGroups(reader: Reader, workspace: Workspace): Promise<ReadonlySet<string> | undefined> {
  const groups = await assignedGroups(reader, workspace);
  if (groups.length === 0) return undefined;
  return allMembersOf(
    reader,
    workspace.accountId,
    groups.map(({ id }) => id),
  );
}

/** Throws if no active administrator of the workspace remains. A group among the administrators is enough. */
export async function checkAdmins(tx: Tx, { id, accountId, adminsGroup }: Workspace): Promise<void> {
  const filter = eq('group', `${accountId}/${adminsGroup}`);
  for await (const page of pagesOf(tx, memberships, { filter })) {
    for (const { value } of page) {
      const admin = await principalOf(tx, accountId, value.member);
      if (admin?.active && !admin.inactiveIn?.includes(id)) return;
    }
  }
  throw identityErrors.lastAdmin({ workspace: id });
}

/** Throws if no active administrator of the account remains. */
export async function checkAccountAdmins(tx: Tx, accountId: string): Promise<void> {
  const isAdmin = { op: 'has', field: 'roles', value: ACCOUNT_ADMIN } as const;
  const filter = { op: 'and', args: [isAdmin, eq('active', true)] } as const;
  const { items } = await tx.query(principals, { prefix: `${accountId}/`, filter, limit: 1 });
  if (items.length === 0) throw identityErrors.lastAccountAdmin({ account: accountId });
}
