import type { Caller, User } from '../../../kernel/auth/index.ts';
import type { Method } from '../../../kernel/http/index.ts';
import type { Call } from '../../../kernel/service/index.ts';
import { errors } from '../errors.ts';
import type { Table } from '../model/types.ts';
import type { Access, Actor } from './actor.ts';

/** Kind of access to a table, as named in the application's permission errors. */
export type Permission = 'Read' | 'Insert' | 'Modify' | 'Delete';

const PERMISSIONS: Readonly<Record<Method, Permission>> = {
  GET: 'Read',
  HEAD: 'Read',
  OPTIONS: 'Read',
  POST: 'Insert',
  PUT: 'Modify',
  PATCH: 'Modify',
  DELETE: 'Delete',
};

/** Access granted by the delegated permissions of a user's token. */
const SCOPES: Readonly<Record<string, Access>> = {
  'Financials.ReadWrite.All': 'full',
  user_impersonation: 'full',
  'Financials.Read.All': 'read',
};

/** Role that an application's token must have, if it has any roles. */
const APPLICATION_ROLE = 'API.ReadWrite.All';

/** The user of a call, from the token and the directory; throws 403 without access. */
export async function actorOf(call: Call): Promise<Actor> {
  const { caller } = call;
  if (!caller) throw new Error('the call has no caller: the step that authenticates has not run');
  if (caller.kind === 'application') return applicationActor(caller);
  const user = await call.jar.directory.user(caller.objectId);
  if (!user)
    throw errors.Authorization_PermissionDenied({ reason: `The user '${caller.name}' does not exist any more.` });
  return userActor(caller, user);
}

function applicationActor(caller: Caller): Actor {
  const { roles } = caller.claims;
  if (Array.isArray(roles) && !roles.includes(APPLICATION_ROLE)) {
    const reason = `The token of the application '${caller.name}' lacks the role '${APPLICATION_ROLE}'.`;
    throw errors.Authorization_PermissionDenied({ reason });
  }
  return { ...identityOf(caller), isDelegatedAdmin: false, canScheduleJobs: true };
}

function userActor(caller: Caller, { attributes }: User): Actor {
  const byToken = accessOfScopes(caller);
  const isLicensed = attributes.licensed === true;
  const isDelegatedAdmin = !isLicensed && attributes.delegatedAdmin === true;
  if (!isLicensed && !isDelegatedAdmin) {
    const reason = `The user '${caller.name}' has no licence for this application and is no delegated administrator of it.`;
    throw errors.Authorization_PermissionDenied({ reason });
  }
  const byUser = accessOf(attributes.businessPermission);
  const isLimitedByToken = byUser === 'full' && byToken === 'read';
  return {
    ...identityOf(caller),
    isDelegatedAdmin,
    canScheduleJobs: attributes.jobQueue !== false,
    access: isLimitedByToken ? 'read' : byUser,
    isLimitedByToken,
  };
}

const identityOf = ({
  tenantId,
  objectId,
  name,
  kind,
}: Caller): Pick<Actor, 'tenantId' | 'objectId' | 'name' | 'kind'> => ({
  tenantId,
  objectId,
  name,
  kind,
});

function accessOfScopes({ scopes, name }: Caller): Access {
  let access: Access | undefined;
  for (const scope of scopes) {
    const given = Object.hasOwn(SCOPES, scope) ? SCOPES[scope] : undefined;
    if (given === 'full') return given;
    access ??= given;
  }
  if (access) return access;
  const reason = `The token of '${name}' has none of the scopes ${Object.keys(SCOPES).join(', ')}.`;
  throw errors.Authorization_PermissionDenied({ reason });
}

/** An unknown value grants no access: a misspelt permission must not allow more than intended. */
function accessOf(attribute: string | boolean | undefined): Access {
  if (attribute === undefined || attribute === 'full') return 'full';
  return attribute === 'read' ? 'read' : 'none';
}

export const permissionFor = (method: Method): Permission => PERMISSIONS[method];

/** Called before each operation on the records of a table; a bound action on a record needs Modify. */
export function checkPermission(actor: Actor, { caption }: Pick<Table, 'caption'>, permission: Permission): void {
  const { access = 'full' } = actor;
  if (access === 'full' || (access === 'read' && permission === 'Read')) return;
  if (actor.isLimitedByToken) {
    const reason = `The token of '${actor.name}' only allows reading; to write, request one with the scope 'Financials.ReadWrite.All'.`;
    throw errors.Authorization_PermissionDenied({ reason });
  }
  const reason = `You do not have the following permissions on TableData ${caption}: ${permission}.`;
  throw errors.Authorization_PermissionDenied({ reason });
}
