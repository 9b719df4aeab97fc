import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { parseEnumValue } from '../access/parse-enum-value.ts';
import { placeIn } from '../access/place.ts';
import type { Principal } from '../access/principal.ts';
import { WORKSPACE_RIGHTS, type Workspace, type WorkspaceRight, type WorkspaceUser } from '../collections.ts';
import { contextBase } from '../context.ts';
import { errors } from '../errors.ts';
import { type DatasetsCall, routeCode } from '../jar.ts';
import { checkUserCount, namedIn, PRINCIPAL_FIELDS, type PrincipalBody, principalNamed } from '../users/body.ts';
import { PRINCIPAL_VIEW, principalView } from '../users/view.ts';
import { changeWorkspace } from './change.ts';

const RIGHTS = ['None', ...WORKSPACE_RIGHTS] as const;

const UserView = Type.Object({ groupUserAccessRight: Type.String(), ...PRINCIPAL_VIEW });

const Body = Type.Object(
  { groupUserAccessRight: Type.String({ description: RIGHTS.join(', ') }), ...PRINCIPAL_FIELDS },
  { additionalProperties: false },
);

const userView = (user: WorkspaceUser) => ({ groupUserAccessRight: user.right, ...principalView(user) });

export const listWorkspaceUsers = routeCode(['group'], {
  query: Type.Object({
    $top: Type.Optional(Type.Integer({ minimum: 0 })),
    $skip: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
  responses: { 200: Type.Object({ value: Type.Array(UserView) }) },
  handle(call) {
    const { users = [] } = placeIn(call).workspace ?? {};
    const { $skip = 0, $top = users.length } = call.query;
    const context = `${contextBase(call)}/$metadata#groups/${call.params.group}/users`;
    return ok({ '@odata.context': context, value: users.slice($skip, $skip + $top).map(userView) });
  },
});

export const addWorkspaceUser = routeCode(['group'], {
  body: Body,
  async handle(call) {
    const right = parseEnumValue(call.body.groupUserAccessRight, RIGHTS, 'groupUserAccessRight');
    if (right === 'None') throw errors.UnsupportedAccessRightError({ right, reason: 'it grants no access' });
    const principal = await principalIn(call, call.body);
    await changeUsers(call, principal, right, (users, id) => {
      if (users.some(({ principalId }) => principalId === id))
        throw errors.AddingAlreadyExistsGroupUserNotSupportedError({ identifier: principal.identifier });
      return [...users, { ...principal, right }];
    });
    return ok(undefined);
  },
});

/** `None` removes the user. */
export const updateWorkspaceUser = routeCode(['group'], {
  body: Body,
  async handle(call) {
    const right = parseEnumValue(call.body.groupUserAccessRight, RIGHTS, 'groupUserAccessRight');
    const principal = await principalIn(call, call.body);
    await changeUsers(call, principal, right, (users, id) => {
      const rest = without(users, id, principal.identifier);
      if (right === 'None') return rest;
      return users.map((user) => (user.principalId === id ? { ...user, ...principal, right } : user));
    });
    return ok(undefined);
  },
});

/** By the address of a user, or the object id of any principal. A group that no longer exists can still be removed. */
export const deleteWorkspaceUser = routeCode(['group', 'user'], {
  query: Type.Object({ profileId: Type.Optional(Type.String()), isGroup: Type.Optional(Type.String()) }),
  async handle(call) {
    const { user: written } = call.params;
    const { users = [] } = placeIn(call).workspace ?? {};
    const found = users.find((user) => isNamed(user, written, call.query.profileId));
    if (!found) throw userNotFound(written);
    await changeUsers(call, found, 'None', (others, id) => without(others, id, written));
    return ok(undefined);
  },
});

function isNamed({ principalId, identifier, profile }: Principal, written: string, profileId?: string): boolean {
  if (profile?.id.toLowerCase() !== profileId?.toLowerCase()) return false;
  const name = written.toLowerCase();
  return identifier.toLowerCase() === name || principalId.split('/', 1)[0] === name;
}

/** A workspace cannot be shared with a whole organization. */
function principalIn(call: DatasetsCall, body: PrincipalBody): Promise<Principal> {
  const named = namedIn(body);
  if (named.principalType === 'None')
    throw errors.InvalidRequest({ reason: "The 'principalType' of a workspace user must be User, App or Group." });
  const { tenantId = '' } = placeIn(call).workspace ?? {};
  return principalNamed(call.jar, tenantId, named);
}

async function changeUsers(
  call: DatasetsCall,
  { principalId, identifier }: Principal,
  right: WorkspaceRight | 'None',
  change: (users: readonly WorkspaceUser[], principalId: string) => readonly WorkspaceUser[],
): Promise<void> {
  await changeWorkspace(call, 'users', (workspace) => {
    const changed = { ...workspace, users: change(workspace.users, principalId) };
    checkUserCount(changed.users);
    if (!hasAdmin(changed)) throw errors.CannotRemoveLastAdmin({ identifier: identifier.slice(0, 100) });
    return { workspace: changed, data: { user: identifier, right } };
  });
}

/** At least one user must be able to manage the workspace. A profile grants no access, so it does not count. */
const hasAdmin = ({ users }: Workspace): boolean => users.some(({ right, profile }) => right === 'Admin' && !profile);

function without(users: readonly WorkspaceUser[], id: string, written: string): readonly WorkspaceUser[] {
  const rest = users.filter(({ principalId }) => principalId !== id);
  if (rest.length === users.length) throw userNotFound(written);
  return rest;
}

const userNotFound = (written: string) =>
  errors.PowerBIEntityNotFound({ what: 'user of the workspace', id: written.slice(0, 100) });
