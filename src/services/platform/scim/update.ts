import type { Jar } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import { accountUsersId } from '../accounts/account-users.ts';
import { checkAccountAdmins, checkAdmins } from '../accounts/assign.ts';
import {
  ACCOUNT_ADMIN,
  entitlements,
  entitlementsKey,
  membershipKey,
  memberships,
  type Principal,
} from '../accounts/collections.ts';
import { setEntitlements } from '../accounts/entitlements.ts';
import { identitiesChanged, lockIdentities, putPrincipal } from '../accounts/principals.ts';
import type { PlatformCall } from '../jar.ts';
import { RESOURCE_KINDS } from './attributes.ts';
import { changeMembers, checkOwn } from './change-members.ts';
import { memberIds, membersIn, usualEmails } from './create.ts';
import { bodyOf, checkLogin, type Draft, readDraft } from './draft.ts';
import { invalid } from './errors.ts';
import { findResource } from './found.ts';
import { checkRoles } from './group-managers.ts';
import { MemberEdit } from './member-edit.ts';
import { named, nameTaken } from './names.ts';
import { applyPatch, type Patched } from './patch.ts';
import { placeIn, type ScimPlace } from './place.ts';
import { recordChange } from './record.ts';

/** PUT: omitted attributes are removed, except `active`. */
export function replaceResource(call: PlatformCall, kind: Principal['kind'], id: string): Promise<Principal> {
  const body = membersIn(call.body);
  const { account, workspace } = placeIn(call, kind);
  const isUsers = id === workspace?.usersGroup || id === accountUsersId(account.id);
  const members = kind === 'group' && !isUsers ? MemberEdit.replacing(memberIds(body)) : new MemberEdit();
  return changeResource(call, kind, id, () => ({ body, members }));
}

export const patchResource = (call: PlatformCall, kind: Principal['kind'], id: string): Promise<Principal> =>
  changeResource(call, kind, id, (place, before) => applyPatch(place, before, call.body));

function changeResource(
  call: PlatformCall,
  kind: Principal['kind'],
  id: string,
  change: (place: ScimPlace, before: JsonMembers) => Patched,
): Promise<Principal> {
  const { jar } = call;
  const place = placeIn(call, kind);
  const { account, workspace } = place;
  return jar.store.transact(async (tx) => {
    await lockIdentities(tx, account.id);
    const before = await findResource(tx, place, id);
    const given = workspace && (await tx.get(entitlements, entitlementsKey(workspace.id, id)))?.value;
    const { body, members } = change(place, bodyOf(place, before, given));
    const draft = readDraft(place, body);
    const after = await changed(tx, jar, place, before, draft);
    checkRoles(call, before, after);
    if (workspace) await setEntitlements(tx, workspace, after, draft);
    await putPrincipal(tx, after);
    await changeMembers(tx, jar, place, after, members);
    await checkStillRun(tx, place, before, after);
    await identitiesChanged(tx, jar, account.id);
    await recordChange(tx, jar, place, 'update', after);
    return after;
  });
}

/** The principal with the attributes of the draft. Throws if the place may not make these changes. */
async function changed(
  tx: Tx,
  { clock }: Pick<Jar, 'clock'>,
  place: ScimPlace,
  before: Principal,
  draft: Draft,
): Promise<Principal> {
  const { workspace, kind } = place;
  await checkName(tx, place, before, draft);
  if (kind === 'group' && (draft.displayName !== before.displayName || draft.externalId !== before.externalId))
    checkOwn(place, before);
  const { userName, displayName, name, externalId, active, roles } = draft;
  const emails = kind === 'user' ? (draft.emails ?? usualEmails(userName)) : undefined;
  const attributes = { displayName, name, externalId, emails, ...(kind === 'user' && !isFixed(place) && { userName }) };
  const after: Principal = omitAbsent({ ...before, ...attributes, updatedAt: clock.now() });
  if (before.system && !workspace && roles.length > 0)
    throw invalid('mutability', `The group ${before.displayName} has no roles.`);
  if (!workspace) return { ...after, active: active ?? before.active, roles };
  if (active === undefined) return after;
  const elsewhere = (before.inactiveIn ?? []).filter((each) => each !== workspace.id);
  // The account takes precedence: a principal that is inactive in the account is shown as inactive in the workspace and stays inactive.
  return { ...after, inactiveIn: active || !before.active ? elsewhere : [...elsewhere, workspace.id] };
}

/** Returns true if the place cannot change the identifying attribute: workspaces cannot rename users, and application ids never change. */
const isFixed = ({ kind, workspace }: ScimPlace): boolean =>
  kind === 'servicePrincipal' || (kind === 'user' && workspace !== undefined);

async function checkName(tx: Tx, place: ScimPlace, before: Principal, draft: Draft): Promise<void> {
  const { login } = RESOURCE_KINDS[place.kind];
  const name = draft[login] ?? before[login] ?? '';
  if (name === before[login]) return;
  // A name that differs only in case counts as unchanged, and keeps its case if it cannot be changed.
  if (isFixed(place) && name.toLowerCase() === before[login]?.toLowerCase()) return;
  if (before.system) throw invalid('mutability', `The group ${before.displayName} cannot be renamed.`);
  if (isFixed(place)) throw invalid('mutability', `The attribute '${login}' cannot be changed here.`);
  checkLogin(draft);
  const other = await named(tx, place, name, before.workspaceId);
  if (other && other.id !== before.id) throw nameTaken(place, name);
}

/** Checks that the workspace and the account keep an active administrator. */
async function checkStillRun(
  tx: Tx,
  { account, workspace }: ScimPlace,
  before: Principal,
  after: Principal,
): Promise<void> {
  const lost = before.active && !after.active;
  const isAdmin = ({ roles }: Principal): boolean => roles.includes(ACCOUNT_ADMIN);
  if (isAdmin(before) && (lost || !isAdmin(after))) await checkAccountAdmins(tx, account.id);
  if (!workspace || (after.inactiveIn ?? []).length <= (before.inactiveIn ?? []).length) return;
  const key = membershipKey(account.id, workspace.adminsGroup, after.id);
  if (await tx.get(memberships, key, 'none')) await checkAdmins(tx, workspace);
}
