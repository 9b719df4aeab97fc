import { allOf, eq, type Reader, type Tx } from '../../../kernel/store/index.ts';
import { type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import { pageSize, readPage } from '../engine/paging.ts';
import { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';
import { accountIn, type PlatformCall } from '../jar.ts';
import { assign, checkAdmins, isAssigned, unassign } from './assign.ts';
import { assignmentFilter } from './assignment-filter.ts';
import { membershipKey, memberships, type Principal, principals, type Workspace } from './collections.ts';
import { batchesOf, identitiesChanged, lockIdentities, principalOf } from './principals.ts';
import { findWorkspace } from './workspaces.ts';

/** Assignments of an account's principals to a workspace, as users or administrators. */

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

/**
 * Clients that do not paginate ask once and expect everything: the maximum is the number of principals and groups that an account may have.
 */
const SIZES = { usual: 100_000, most: 100_000 };

export async function listAssignments(call: PlatformCall, asked: string): Promise<JsonMembers> {
  const { store } = call.jar;
  const workspace = await findWorkspace(store, call, asked);
  const { accountId } = workspace;
  const { filter: text } = call.query;
  const assigned = { op: 'has', field: 'workspaces', value: workspace.id } as const;
  const filter =
    typeof text === 'string' && text.trim() !== '' ? allOf(assigned, assignmentFilter(text, accountId)) : assigned;
  const { items, next } = await readPage(call, {
    collection: principals,
    query: { prefix: `${accountId}/`, filter },
    size: pageSize(call.query, SIZES, 'max_results'),
  });
  const admins = await adminsAmong(
    store,
    workspace,
    items.map(({ key }) => key),
  );
  return {
    permission_assignments: items.map(({ value }) => view(value, admins.has(value.id))),
    ...(next !== undefined && { next_page_token: next }),
  };
}

async function adminsAmong(
  reader: Reader,
  { accountId, adminsGroup }: Workspace,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const admins = new Set<string>();
  for (const values of batchesOf(keys)) {
    const among = { op: 'in', field: 'member', values } as const;
    const filter = allOf(eq('group', `${accountId}/${adminsGroup}`), among);
    for (const { value } of (await reader.query(memberships, { filter, limit: values.length })).items)
      admins.add(value.member);
  }
  return admins;
}

/** Without a known permission, the assignment is removed, as the published reference says. */
export async function setAssignment(call: PlatformCall, asked: string, id: string): Promise<JsonMembers> {
  const level = levelIn(new Sent(call.body));
  if (level) return assignAs(call, asked, byId(call, id), level);
  await change(call, asked, byId(call, id), (tx, principal, workspace) => end(tx, call, principal, workspace));
  return { permissions: [], principal: { principal_id: Number(id) } };
}

export const removeAssignment = (call: PlatformCall, asked: string, id: string): Promise<void> =>
  change(call, asked, byId(call, id), async (tx, principal, workspace) => {
    if (!isAssigned(principal, workspace.id)) throw missing(id);
    await end(tx, call, principal, workspace);
  });

async function end(tx: Tx, { jar }: PlatformCall, principal: Principal, workspace: Workspace): Promise<void> {
  if (!isAssigned(principal, workspace.id)) return;
  const wasAdmin = await isAdminOf(tx, principal, workspace);
  await unassign(tx, jar, principal, workspace);
  if (wasAdmin) await checkAdmins(tx, workspace);
}

export type Level = 'USER' | 'ADMIN';

/** The higher of the permissions. Unknown words are ignored. */
export function levelIn(sent: Sent): Level | undefined {
  const permissions = sent.texts('permissions') ?? [];
  return permissions.includes('ADMIN') ? 'ADMIN' : permissions.includes('USER') ? 'USER' : undefined;
}

/** Finds the principal that a call names. Throws if it does not exist. */
export type Finder = (tx: Tx) => Promise<Principal>;

const byId =
  (call: PlatformCall, id: string): Finder =>
  async (tx) => {
    const principal = await principalOf(tx, accountIn(call).id, id);
    // Groups of a workspace belong to it and cannot be assigned.
    if (!principal || principal.workspaceId !== undefined) throw missing(id);
    return principal;
  };

export const assignAs = (call: PlatformCall, asked: string, find: Finder, level: Level): Promise<JsonMembers> =>
  change(call, asked, find, async (tx, principal, workspace) => {
    const isAdmin = level === 'ADMIN';
    const wasAdmin = await isAdminOf(tx, principal, workspace);
    const assigned = await assign(tx, call.jar, principal, workspace, isAdmin);
    if (wasAdmin && !isAdmin) await checkAdmins(tx, workspace);
    return view(assigned, isAdmin);
  });

const missing = (id: string) =>
  errors.RESOURCE_DOES_NOT_EXIST({ reason: `Principal ${id.slice(0, 100)} does not exist or is not assigned.` });

const isAdminOf = async (tx: Tx, { accountId, id }: Principal, { adminsGroup }: Workspace): Promise<boolean> =>
  (await tx.get(memberships, membershipKey(accountId, adminsGroup, id), 'none')) !== undefined;

function change<R>(
  call: PlatformCall,
  asked: string,
  find: Finder,
  action: (tx: Tx, principal: Principal, workspace: Workspace) => Promise<R>,
): Promise<R> {
  const { jar } = call;
  const account = accountIn(call);
  return jar.store.transact(async (tx) => {
    await lockIdentities(tx, account.id);
    const workspace = await findWorkspace(tx, call, asked);
    const principal = await find(tx);
    const result = await action(tx, principal, workspace);
    await identitiesChanged(tx, jar, account.id);
    await tx.change({
      source: 'platform',
      kind: 'assign',
      subject: `/${account.id}/workspaces/${workspace.id}/principals/${principal.id}`,
      outcome: 'Succeeded',
      at: jar.clock.now(),
      data: { kind: principal.kind, id: principal.id, workspace: workspace.id },
    });
    return result;
  });
}
