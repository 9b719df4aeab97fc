import type { Jar } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { checkAdmins } from '../accounts/assign.ts';
import type { Principal } from '../accounts/collections.ts';
import { addMembers, membersOf, removeMembers } from '../accounts/members.ts';
import { principalOf, principalsOf } from '../accounts/principals.ts';
import { forbidden, invalid, shown } from './errors.ts';
import { Visibility } from './found.ts';
import type { MemberEdit } from './member-edit.ts';
import type { ScimPlace } from './place.ts';

/** Throws if the place may not change a group: a workspace changes its own groups, and the account changes account groups. */
export function checkOwn(place: ScimPlace, group: Principal): void {
  if (place.workspace && group.workspaceId === undefined)
    throw forbidden(`Group ${group.displayName} is a group of the account and cannot be changed in a workspace.`);
}

/** Returns true if the membership of a group is implicit: `users` of a workspace, and `account users`. */
export const isEverybody = ({ workspace }: Pick<ScimPlace, 'workspace'>, group: Principal): boolean =>
  group.system === true && (group.workspaceId === undefined || group.id === workspace?.usersGroup);

/** Applies the requested changes to the members of a group; returns true if the group changed. */
export async function changeMembers(
  tx: Tx,
  jar: Pick<Jar, 'limits'>,
  place: ScimPlace,
  group: Principal,
  edit: MemberEdit,
): Promise<boolean> {
  if (edit.isEmpty) return false;
  const { account, workspace } = place;
  const held = edit.replaces ? await membersOf(tx, account.id, group.id) : [];
  const heldIds = new Set(held);
  const gone = edit.replaces ? held.filter((id) => !edit.added.has(id)) : [...edit.removed];
  const wanted = [...edit.added].filter((id) => !heldIds.has(id));
  if (gone.length === 0 && wanted.length === 0) return false;
  checkOwn(place, group);
  if (isEverybody(place, group))
    throw invalid('mutability', `All users belong to the group ${group.displayName}; its members cannot be changed.`);
  const removed = await removeMembers(tx, group, gone);
  const added = await addMembers(tx, jar, group, await newMembers(tx, place, wanted));
  if (group.system && workspace && removed > 0) await checkAdmins(tx, workspace);
  return removed + added > 0;
}

async function newMembers(tx: Tx, place: ScimPlace, ids: readonly string[]): Promise<readonly Principal[]> {
  const found = await principalsOf(tx, place.account.id, ids);
  const visibility = new Visibility(tx, place);
  const members: Principal[] = [];
  for (const id of ids) {
    const principal = found.get(id);
    if (!principal || !(await visibility.has(principal)))
      throw invalid('invalidValue', `There is no user, service principal or group with id ${shown(id)} here.`);
    if (principal.system)
      throw invalid('invalidValue', `The group ${principal.displayName} cannot be a member of a group.`);
    members.push(principal);
  }
  return members;
}

/** Adds a new principal to the groups that its body names. */
export async function joinGroups(
  tx: Tx,
  jar: Pick<Jar, 'limits'>,
  place: ScimPlace,
  principal: Principal,
  groups: readonly string[],
): Promise<void> {
  const visibility = new Visibility(tx, place);
  for (const id of groups) {
    const group = await principalOf(tx, place.account.id, id);
    if (group?.kind !== 'group' || !(await visibility.has(group)))
      throw invalid('invalidValue', `There is no group with id ${shown(id)} here.`);
    checkOwn(place, group);
    await addMembers(tx, jar, group, [principal]);
  }
}
