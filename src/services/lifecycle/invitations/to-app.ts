import { Type } from 'typebox';
import { noContent, ok } from '../../../kernel/http/index.ts';
import type { Call, Jar } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { accessOf, appOf, userOf } from '../access/access.ts';
import { findUser } from '../access/find.ts';
import { orgRoleOf } from '../access/standing.ts';
import { userByEmail } from '../accounts/find-people.ts';
import { checkEmail } from '../accounts/names.ts';
import { UserView, userView } from '../accounts/views.ts';
import { PermissionsBody, roleOf } from '../apps/collaborators.ts';
import { holdApp } from '../apps/current-rights.ts';
import { AppView, appView } from '../apps/shape.ts';
import { type App, appMembers, type Invitation, pair } from '../collections.ts';
import { errors, gateway } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { APP_ROLES, type AppRole, ORG_ROLES, type OrgRole } from '../roles.ts';
import { changeInvitation, endInvitation, pendingFor, requirePending, sendInvitation } from './pending.ts';

/**
 * The role for the invited user. The real service expects roles of the organization here, which apply to the organization that owns the
 * app; roles of the app are accepted, too.
 */
const Role = Type.Optional(Type.Union([Type.Enum([...APP_ROLES, ...ORG_ROLES]), Type.Null()]));
type Role = AppRole | OrgRole | null | undefined;

const DEFAULT_ROLE: AppRole = 'developer';

export const inviteToApp = routeCode([], {
  body: Type.Object({ user_email: Type.String(), role: Role }),
  responses: { 204: 'Invited' },
  handle: (call) => invite(call, call.body.user_email, call.body.role),
});

export const inviteToAppByEmail = routeCode(['user_email'], {
  body: Type.Object({ role: Role }),
  responses: { 204: 'Invited' },
  handle: (call) => invite(call, call.params.user_email, call.body.role),
});

async function invite(call: Call, email: string, wanted: Role) {
  const { jar } = call;
  checkEmail(email);
  await jar.store.transact(async (tx) => {
    const { app } = await holdApp(tx, call, 'manager');
    await refuseCollaborator(tx, app, email);
    const roles = await grantable(tx, call, app, wanted);
    await sendInvitation(tx, jar, { appId: app.id }, { email, ...roles, invitedBy: userOf(call).id });
  });
  return noContent();
}

async function refuseCollaborator(tx: Tx, app: App, email: string): Promise<void> {
  const user = await userByEmail(tx, email);
  if (!user || !(await tx.get(appMembers, pair(app.id, user.id)))) return;
  throw errors.Conflict({ reason: `'${email}' is already a collaborator of the app '${app.name}'.` });
}

const isAppRole = (role: AppRole | OrgRole): role is AppRole => (APP_ROLES as readonly string[]).includes(role);

/** A caller cannot grant rights beyond their own: only admins of the organization can grant more than membership. */
async function grantable(tx: Tx, call: Call, { owner }: App, wanted: Role) {
  if (!wanted) return { role: DEFAULT_ROLE };
  if (isAppRole(wanted)) return { role: wanted };
  if (owner.kind === 'user' || wanted === 'member') return { role: DEFAULT_ROLE };
  const { user, token } = accessOf(call);
  const isAdmin = token.appId === undefined && (await orgRoleOf(tx, owner, user.id)) === 'admin';
  if (!isAdmin) throw gateway.forbidden(`only admins of the organization can grant the role ${wanted}`);
  return { role: DEFAULT_ROLE, orgRole: wanted };
}

export const changeAppInvitation = routeCode(['user_email'], {
  body: PermissionsBody,
  responses: { 204: 'Changed' },
  async handle(call) {
    const { jar, params, body } = call;
    await jar.store.transact(async (tx) => {
      const { app } = await holdApp(tx, call, 'manager');
      const invitation = await requirePending(tx, jar, { appId: app.id }, params.user_email);
      await changeInvitation(tx, jar, invitation, roleOf(body));
    });
    return noContent();
  },
});

export const deleteAppInvitation = routeCode(['user_email'], {
  responses: { 204: 'Revoked' },
  async handle(call) {
    const { jar, params } = call;
    await jar.store.transact(async (tx) => {
      const { app } = await holdApp(tx, call, 'manager');
      await endInvitation(tx, jar, await requirePending(tx, jar, { appId: app.id }, params.user_email), 'revoked');
    });
    return noContent();
  },
});

const InvitationView = Type.Object({
  id: Type.String(),
  app: AppView,
  email: Type.String(),
  invite_type: Type.Literal('developer'),
  /** Missing if the account was deleted. */
  invited_by: Type.Optional(UserView),
  is_existing_user: Type.Boolean(),
  permissions: Type.Array(Type.Enum([...APP_ROLES])),
});

export const listAppInvitations = routeCode([], {
  responses: { 200: Type.Array(InvitationView) },
  async handle(call) {
    const app = await appView(call, { app: appOf(call), standing: accessOf(call).standing });
    const pending = await pendingFor(call.jar.store, call.jar, { appId: app.id });
    const views = [];
    for (const invitation of pending) views.push({ ...(await view(call.jar, invitation)), app });
    return ok(views);
  },
});

async function view({ store }: Jar, { id, email, role, invitedBy }: Invitation) {
  const inviter = await findUser(store, invitedBy);
  return {
    id,
    email,
    invite_type: 'developer',
    ...(inviter && { invited_by: userView(inviter) }),
    is_existing_user: (await userByEmail(store, email)) !== undefined,
    permissions: [role],
  };
}
