import { eq, type Tx } from '../../../kernel/store/index.ts';
import { type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import { pageSize, readPage } from '../engine/paging.ts';
import { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';
import { accountIn, type PlatformCall } from '../jar.ts';
import { assign, checkAdmins, isAssigned, unassign } from './assign.ts';
import { membershipKey, memberships, type Principal, principals, type Workspace } from './collections.ts';
import { identitiesChanged, lockIdentities, principalOf } from './principals.ts';
import { findWorkspace } from './workspaces.ts';

/** Which principals of an account are assigned to a workspace, as users or administrators. */

export const LEVELS = [
  { permission_level: 'USER', description: 'Can access the workspace' },
  { permission_level: 'ADMIN', description: 'Can access and administer the workspace' },
] as const;

const principalView = ({ id, kind, userName, applicationId, displayName }: Principal): JsonMembers =>
  omitAbsent({
    principal_id: Number(id),
    user_name: userName,
    service_principal_name: applicationId,
    group_name: kind === 'group' ? displayName : undefined,
    display_name: displayName,
  });

const view = (principal: Principal, isAdmin: boolean): JsonMembers => ({
  permissions: [isAdmin ? 'ADMIN' : 'USER'],
  principal: principalView(principal),
});

export async function listAssignments(call: PlatformCall, asked: string): Promise<JsonMembers> {
  const { store } = call.jar;
  const workspace = await findWorkspace(store, call, asked);
  const { accountId, adminsGroup } = workspace;
  const filter = { op: 'has', field: 'workspaces', value: workspace.id } as const;
  const { items, next } = await readPage(call, {
    collection: principals,
    query: { prefix: `${accountId}/`, filter },
    size: pageSize(call.query, undefined, 'max_results'),
  });
  const values = items.map(({ key }) => key);
  const isAdmins = eq('group', `${accountId}/${adminsGroup}`);
  const among = { op: 'and', args: [isAdmins, { op: 'in', field: 'member', values }] } as const;
  const found = await store.query(memberships, { filter: among, limit: Math.max(1, values.length) });
  const admins = new Set(found.items.map(({ value }) => value.member));
  return {
    permission_assignments: items.map(({ value }) => view(value, admins.has(value.id))),
    ...(next !== undefined && { next_page_token: next }),
  };
}

/** An empty list of permissions, or UNKNOWN, removes the assignment. */
export async function setAssignment(call: PlatformCall, asked: string, id: string): Promise<JsonMembers> {
  const { jar } = call;
  const permissions = new Sent(call.body).texts('permissions');
  if (!permissions) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'permissions' });
  const words = ['USER', 'ADMIN', 'UNKNOWN'];
  for (const word of permissions)
    if (!words.includes(word)) {
      const reason = `'${word.slice(0, 100)}' is not a permission of a workspace; they are USER and ADMIN.`;
      throw errors.INVALID_PARAMETER_VALUE({ reason });
    }
  const isAdmin = permissions.includes('ADMIN');
  if (!isAdmin && !permissions.includes('USER')) {
    await removeAssignment(call, asked, id);
    return { permissions: [], principal: { principal_id: Number(id) } };
  }
  return change(call, asked, id, async (tx, principal, workspace) => {
    const wasAdmin = await isAdminOf(tx, principal, workspace);
    const assigned = await assign(tx, jar, principal, workspace, isAdmin);
    if (wasAdmin && !isAdmin) await checkAdmins(tx, workspace);
    return view(assigned, isAdmin);
  });
}

export const removeAssignment = (call: PlatformCall, asked: string, id: string): Promise<void> =>
  change(call, asked, id, async (tx, principal, workspace) => {
    if (!isAssigned(principal, workspace.id)) throw missing(id);
    const wasAdmin = await isAdminOf(tx, principal, workspace);
    await unassign(tx, call.jar, principal, workspace);
    if (wasAdmin) await checkAdmins(tx, workspace);
  });

const missing = (id: string) =>
  errors.RESOURCE_DOES_NOT_EXIST({ reason: `Principal ${id.slice(0, 100)} does not exist or is not assigned.` });

const isAdminOf = async (tx: Tx, { accountId, id }: Principal, { adminsGroup }: Workspace): Promise<boolean> =>
  (await tx.get(memberships, membershipKey(accountId, adminsGroup, id), 'none')) !== undefined;

function change<R>(
  call: PlatformCall,
  asked: string,
  id: string,
  action: (tx: Tx, principal: Principal, workspace: Workspace) => Promise<R>,
): Promise<R> {
  const { jar } = call;
  const account = accountIn(call);
  return jar.store.transact(async (tx) => {
    await lockIdentities(tx, account.id);
    const workspace = await findWorkspace(tx, call, asked);
    const principal = await principalOf(tx, account.id, id);
    // Groups of workspaces belong to theirs and cannot be assigned.
    if (!principal || principal.workspaceId !== undefined) throw missing(id);
    const result = await action(tx, principal, workspace);
    await identitiesChanged(tx, jar, account.id);
    await tx.change({
      source: 'platform',
      kind: 'assign',
      subject: `/${account.id}/workspaces/${workspace.id}/principals/${id}`,
      outcome: 'Succeeded',
      at: jar.clock.now(),
      data: { kind: principal.kind, id, workspace: workspace.id },
    });
    return result;
  });
}
