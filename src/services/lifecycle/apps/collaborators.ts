import { Type } from 'typebox';
import { noContent, ok } from '../../../kernel/http/index.ts';
import { eq, readAll, type Tx } from '../../../kernel/store/index.ts';
import { compareText } from '../../../kernel/values/index.ts';
import { accessOf, appOf, userOf } from '../access/access.ts';
import { isSelf } from '../access/standing.ts';
import { recordChange } from '../accounts/changes.ts';
import { findUsers, userByEmail } from '../accounts/find-people.ts';
import { putAppMember } from '../accounts/make.ts';
import { UserView, userView } from '../accounts/views.ts';
import { type App, type AppMember, appMembers, pair, type User } from '../collections.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { APP_ROLES, type AppRole, appRank } from '../roles.ts';
import { holdApp } from './current-rights.ts';

/** Collaborators with a direct role, in the order in which they were added. */
export const listCollaborators = routeCode([], {
  responses: { 200: Type.Array(UserView) },
  async handle(call) {
    const { store } = call.jar;
    const members = new Map(
      (await readAll(store, appMembers, { filter: eq('appId', appOf(call).id) })).map(({ value }) => [
        value.userId,
        value,
      ]),
    );
    const people = (await findUsers(store, [...members.keys()])).map((user) => ({
      user,
      member: members.get(user.id) as AppMember,
    }));
    people.sort((a, b) => compareText(a.member.joinedAt, b.member.joinedAt) || compareText(a.user.name, b.user.name));
    return ok(people.map(({ user, member }) => userView(user, [member.role])));
  },
});

/** At least one role. If there are several, the highest counts, because it includes the others. */
export const PermissionsBody = Type.Object({
  permissions: Type.Array(Type.Enum([...APP_ROLES]), { minItems: 1, maxItems: 10 }),
});

export const roleOf = ({ permissions }: { readonly permissions: readonly AppRole[] }): AppRole =>
  permissions.reduce((a, b) => (appRank(b) > appRank(a) ? b : a));

export const updateCollaborator = routeCode(['user_email'], {
  body: PermissionsBody,
  responses: { 204: 'Changed' },
  async handle(call) {
    const { jar, params, body } = call;
    const role = roleOf(body);
    await jar.store.transact(async (tx) => {
      const { app } = await holdApp(tx, call, 'manager');
      const { user, member } = await findCollaborator(tx, app, params.user_email);
      if (member.role === role) return;
      if (role !== 'manager') await keepManaged(tx, app, member, user, 'demoted');
      await putAppMember(tx, { ...member, role });
      await recordChange(tx, jar, 'write', subjectOf(member), { role });
    });
    return noContent();
  },
});

export const removeCollaborator = routeCode(['user_email'], {
  responses: { 204: 'Removed' },
  async handle(call) {
    const { jar, params } = call;
    const isLeaving = accessOf(call).token.appId === undefined && isSelf(userOf(call), 'user_email', params.user_email);
    await jar.store.transact(async (tx) => {
      const { app } = await holdApp(tx, call, isLeaving ? undefined : 'manager');
      const { user, member } = await findCollaborator(tx, app, params.user_email);
      await keepManaged(tx, app, member, user, 'removed');
      await tx.delete(appMembers, pair(app.id, user.id));
      await recordChange(tx, jar, 'delete', subjectOf(member));
    });
    return noContent();
  },
});

const subjectOf = ({ appId, userId }: AppMember): string => `lifecycle/apps/${appId}/users/${userId}`;

async function findCollaborator(tx: Tx, app: App, email: string): Promise<{ user: User; member: AppMember }> {
  const user = await userByEmail(tx, email);
  const member = user && (await tx.get(appMembers, pair(app.id, user.id)))?.value;
  if (user && member) return { user, member };
  throw errors.NotFound({ reason: `'${email.slice(0, 100)}' is not a collaborator of the app '${app.name}'.` });
}

/** An app must keep at least one manager with a direct role, and its owner must be a manager. */
async function keepManaged(tx: Tx, app: App, member: AppMember, { email }: User, fate: string): Promise<void> {
  const { id, owner, name } = app;
  if (owner.kind === 'user' && owner.id === member.userId) {
    throw errors.BadRequest({ reason: `'${email}' owns the app '${name}', and can be neither removed nor demoted.` });
  }
  if (member.role !== 'manager') return;
  const filter = { op: 'and', args: [eq('appId', id), eq('role', 'manager')] } as const;
  if ((await tx.count(appMembers, { filter })) > 1) return;
  const reason = `'${email}' is the only manager of the app '${name}', and cannot be ${fate}: make another user a manager first.`;
  throw errors.BadRequest({ reason });
}
