import { noContent } from '../../../kernel/http/index.ts';
import type { Call, Jar } from '../../../kernel/service/index.ts';
import type { ReadLock, Tx } from '../../../kernel/store/index.ts';
import { userOf } from '../access/access.ts';
import { appStandingOf, orgRoleOf } from '../access/standing.ts';
import { recordChange } from '../accounts/changes.ts';
import { holdAccount } from '../accounts/current-account.ts';
import { putAppMember, putOrgMember } from '../accounts/make.ts';
import {
  appMembers,
  apps,
  type Invitation,
  invitations,
  type Owner,
  orgMembers,
  orgs,
  pair,
  type User,
} from '../collections.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { lockPeople } from '../orgs/current-rights.ts';
import { type AppRole, appRank, type OrgRole, orgRank } from '../roles.ts';
import { endInvitation, isOver } from './pending.ts';

/** Answers of the invited user. For other users, and after expiry, the invitation does not exist. */

type Of = 'app' | 'org';

const accept = (of: Of) =>
  routeCode(['invitation_token'], {
    responses: { 204: 'Accepted' },
    async handle(call) {
      const { jar } = call;
      await jar.store.transact(async (tx) => {
        const user = await holdAccount(tx, userOf(call).id);
        const { appId, orgId } = await findOwn(tx, call, of, 'none');
        // Locks the target first, in the order used by inviting and revoking.
        if (appId !== undefined) await tx.get(apps, appId);
        if (orgId !== undefined) await lockPeople(tx, orgId);
        const invitation = await findOwn(tx, call, of);
        if (of === 'app') await joinApp(tx, jar, invitation, user);
        else await joinOrg(tx, jar, invitation, user);
        await endInvitation(tx, jar, invitation, 'accepted');
      });
      return noContent();
    },
  });

const reject = (of: Of) =>
  routeCode(['invitation_token'], {
    responses: { 204: 'Rejected' },
    async handle(call) {
      const { jar } = call;
      await jar.store.transact(async (tx) => endInvitation(tx, jar, await findOwn(tx, call, of), 'rejected'));
      return noContent();
    },
  });

export const acceptAppInvitation = accept('app');
export const acceptOrgInvitation = accept('org');
export const rejectAppInvitation = reject('app');
export const rejectOrgInvitation = reject('org');

async function findOwn(
  tx: Tx,
  call: Call<{ readonly invitation_token: string }>,
  of: Of,
  lock: ReadLock = 'update',
): Promise<Invitation> {
  const id = call.params.invitation_token;
  const invitation = (await tx.get(invitations, id, lock))?.value;
  const isOwn = invitation?.email.toLowerCase() === userOf(call).email.toLowerCase();
  const isOfKind = (invitation?.appId === undefined) === (of === 'org');
  if (invitation && isOwn && isOfKind && !isOver(invitation, call.jar)) return invitation;
  throw notFound(id);
}

const notFound = (id: string) =>
  errors.NotFound({ reason: `There is no pending invitation '${id.slice(0, 60)}' for the user.` });

/** An invitation is valid only while its sender may still invite. */
const sentInVain = (id: string) =>
  errors.NotFound({
    reason: `The invitation '${id}' is no longer valid, because its sender may no longer invite: ask for a new one.`,
  });

/** Accepting never lowers an existing role. */
async function joinApp(tx: Tx, jar: Jar, invitation: Invitation, { id: userId }: User): Promise<void> {
  const { id, appId = '', role, invitedBy } = invitation;
  const app = (await tx.get(apps, appId))?.value;
  if (!app) throw notFound(id);
  const inviter = await appStandingOf(tx, app, invitedBy);
  if (!inviter || appRank(inviter) < appRank('manager')) throw sentInVain(id);
  const joinedAt = new Date(jar.clock.now()).toISOString();
  const held = (await tx.get(appMembers, pair(appId, userId)))?.value.role;
  const given = role as AppRole;
  if (!held || appRank(given) > appRank(held)) {
    await putAppMember(tx, { appId, userId, role: given, joinedAt });
    await recordChange(tx, jar, 'write', `lifecycle/apps/${appId}/users/${userId}`, { role: given });
  }
  if (app.owner.kind === 'user') return;
  const orgRole = await orgRoleGiven(tx, app.owner, invitation);
  await raiseInOrg(tx, jar, { orgId: app.owner.id, userId, role: orgRole, joinedAt });
}

/**
 * Only admins of the organization can grant more than membership. The organization may differ from the one at the time of the invitation,
 * because apps can be transferred.
 */
async function orgRoleGiven(tx: Tx, org: Owner, { orgRole = 'member', invitedBy }: Invitation): Promise<OrgRole> {
  return (await orgRoleOf(tx, org, invitedBy)) === 'admin' ? orgRole : 'member';
}

async function joinOrg(tx: Tx, jar: Jar, invitation: Invitation, { id: userId }: User): Promise<void> {
  const { id, orgId = '', role, invitedBy } = invitation;
  if (!(await tx.get(orgs, orgId, 'share'))) throw notFound(id);
  if ((await orgRoleOf(tx, { id: orgId }, invitedBy)) !== 'admin') throw sentInVain(id);
  const joinedAt = new Date(jar.clock.now()).toISOString();
  await raiseInOrg(tx, jar, { orgId, userId, role: role as OrgRole, joinedAt });
}

async function raiseInOrg(
  tx: Tx,
  jar: Jar,
  member: { readonly orgId: string; readonly userId: string; readonly role: OrgRole; readonly joinedAt: string },
): Promise<void> {
  const { orgId, userId, role } = member;
  const held = (await tx.get(orgMembers, pair(orgId, userId)))?.value.role;
  if (held && orgRank(held) >= orgRank(role)) return;
  await putOrgMember(tx, jar, member);
  await recordChange(tx, jar, 'write', `lifecycle/orgs/${orgId}/users/${userId}`, { role });
}
