import type { Jar } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { checkAccountAdmins, checkAdmins, isAssigned, unassign } from '../accounts/assign.ts';
import { ACCOUNT_ADMIN, type Principal, type Workspace, workspaces } from '../accounts/collections.ts';
import { groupsOfEach } from '../accounts/members.ts';
import { identitiesChanged, lockIdentities, principalsOf } from '../accounts/principals.ts';
import { schedulePurge } from '../accounts/purge-user.ts';
import { removePrincipal } from '../accounts/remove-principal.ts';
import type { PlatformCall } from '../jar.ts';
import { forbidden, invalid } from './errors.ts';
import { findResource } from './found.ts';
import { placeIn } from './place.ts';
import { recordChange } from './record.ts';

/**
 * In an account, deletes the principal. In a workspace, removes its assignment; only groups of the workspace are deleted. A user without
 * any workspace stays in the account for 30 days.
 */
export function deleteResource(call: PlatformCall, kind: Principal['kind'], id: string): Promise<void> {
  const { jar } = call;
  const place = placeIn(call, kind);
  const { account, workspace } = place;
  return jar.store.transact(async (tx) => {
    await lockIdentities(tx, account.id);
    const found = await findResource(tx, place, id);
    if (found.system) throw forbidden(`The group ${found.displayName} cannot be deleted.`);
    const run = await administered(tx, found);
    if (workspace && found.workspaceId === undefined) await leave(tx, jar, found, workspace);
    else await removePrincipal(tx, jar, found);
    for (const each of run) if (!workspace || each.id === workspace.id) await checkAdmins(tx, each);
    if (!workspace && found.roles.includes(ACCOUNT_ADMIN)) await checkAccountAdmins(tx, account.id);
    await identitiesChanged(tx, jar, account.id);
    await recordChange(tx, jar, place, 'delete', found);
  });
}

async function leave(
  tx: Tx,
  jar: Pick<Jar, 'limits' | 'clock'>,
  found: Principal,
  workspace: Workspace,
): Promise<void> {
  if (!isAssigned(found, workspace.id)) {
    const who = found.userName ?? found.applicationId ?? found.displayName;
    throw invalid('mutability', `${who} is in the workspace by a group of the account; remove it from the group.`);
  }
  await schedulePurge(tx, jar, await unassign(tx, jar, found, workspace));
}

/** The workspaces of which a principal is a direct administrator. */
async function administered(tx: Tx, { accountId, id }: Principal): Promise<readonly Workspace[]> {
  const groups = await principalsOf(tx, accountId, (await groupsOfEach(tx, accountId, [id])).get(id) ?? []);
  const found: Workspace[] = [];
  for (const { system, workspaceId } of groups.values()) {
    if (!system || workspaceId === undefined || found.some((each) => each.id === workspaceId)) continue;
    const workspace = (await tx.get(workspaces, workspaceId, 'none'))?.value;
    if (workspace && groups.has(workspace.adminsGroup)) found.push(workspace);
  }
  return found;
}
