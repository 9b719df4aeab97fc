import { Type } from 'typebox';
import { noContent, ok } from '../../../kernel/http/index.ts';
import type { Call } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { orgOf, userOf } from '../access/access.ts';
import { userByEmail } from '../accounts/find-people.ts';
import { checkEmail } from '../accounts/names.ts';
import { type Org, orgMembers, pair } from '../collections.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { lockPeople, requireOrgRole } from '../orgs/current-rights.ts';
import { ORG_ROLES, type OrgRole } from '../roles.ts';
import { changeInvitation, endInvitation, pendingFor, requirePending, sendInvitation } from './pending.ts';

const Role = Type.Optional(Type.Union([Type.Enum([...ORG_ROLES]), Type.Null()]));

/** The default for users who are invited to the organization itself rather than to one of its apps. */
const DEFAULT_ROLE: OrgRole = 'collaborator';

/** Serialised per organization; the caller must currently be an admin. */
async function asAdmin(call: Call, body: (tx: Tx, org: Org) => Promise<void>) {
  const org = orgOf(call);
  await call.jar.store.transact(async (tx) => {
    await lockPeople(tx, org.id);
    await requireOrgRole(tx, call, 'admin');
    await body(tx, org);
  });
  return noContent();
}

export const inviteToOrg = routeCode([], {
  body: Type.Object({ user_email: Type.String(), role: Role }),
  responses: { 204: 'Invited' },
  handle(call) {
    const { user_email: email, role } = call.body;
    checkEmail(email);
    return asAdmin(call, async (tx, org) => {
      const user = await userByEmail(tx, email);
      if (user && (await tx.get(orgMembers, pair(org.id, user.id)))) {
        throw errors.Conflict({ reason: `'${email}' is already a member of the organization '${org.name}'.` });
      }
      const wanted = { email, role: role ?? DEFAULT_ROLE, invitedBy: userOf(call).id };
      await sendInvitation(tx, call.jar, { orgId: org.id }, wanted);
    });
  },
});

export const changeOrgInvitation = routeCode(['email'], {
  body: Type.Object({ role: Role }),
  responses: { 204: 'Changed' },
  handle: (call) =>
    asAdmin(call, async (tx, { id: orgId }) => {
      const invitation = await requirePending(tx, call.jar, { orgId }, call.params.email);
      await changeInvitation(tx, call.jar, invitation, call.body.role ?? invitation.role);
    }),
});

/** Replaces the previous invitation, which becomes invalid. */
export const resendOrgInvitation = routeCode(['email'], {
  body: Type.Object({ role: Role }),
  responses: { 204: 'Sent again' },
  handle: (call) =>
    asAdmin(call, async (tx, { id: orgId }) => {
      const before = await requirePending(tx, call.jar, { orgId }, call.params.email);
      await endInvitation(tx, call.jar, before, 'replaced');
      const wanted = { email: before.email, role: call.body.role ?? before.role, invitedBy: userOf(call).id };
      await sendInvitation(tx, call.jar, { orgId }, wanted);
    }),
});

const revoke = (call: Call, email: string) =>
  asAdmin(call, async (tx, { id: orgId }) => {
    await endInvitation(tx, call.jar, await requirePending(tx, call.jar, { orgId }, email), 'revoked');
  });

export const revokeOrgInvitation = routeCode(['email'], {
  responses: { 204: 'Revoked' },
  handle: (call) => revoke(call, call.params.email),
});

export const deleteOrgInvitation = routeCode([], {
  body: Type.Object({ user_email: Type.String() }),
  responses: { 204: 'Revoked' },
  handle: (call) => revoke(call, call.body.user_email),
});

const InvitationView = Type.Object({ id: Type.String(), email: Type.String(), role: Type.Enum([...ORG_ROLES]) });

export const listOrgInvitations = routeCode([], {
  responses: { 200: Type.Array(InvitationView) },
  async handle(call) {
    const pending = await pendingFor(call.jar.store, call.jar, { orgId: orgOf(call).id });
    return ok(pending.map(({ id, email, role }) => ({ id, email, role })));
  },
});
