import { ApiError, ok } from '../../../kernel/http/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';
import { accountIn, type PlatformCall, routeCode, workspaceIn } from '../jar.ts';
import type { Operation } from '../operation.ts';
import {
  assignAs,
  type Finder,
  LEVELS,
  levelIn,
  listAssignments,
  removeAssignment,
  setAssignment,
} from './assignments.ts';
import type { PrincipalKind } from './collections.ts';
import { byLogin } from './principals.ts';

/** Assignments to the workspace of the call, for its administrators. Terraform's provider and migration tools use these operations. */

const PATH = '/preview/permissionassignments';
const MOST = 100;

const NAMES: readonly (readonly [field: string, kind: PrincipalKind])[] = [
  ['user_name', 'user'],
  ['group_name', 'group'],
  ['service_principal_name', 'servicePrincipal'],
];

/** Assigns principals by name, each independently: an error for one principal is reported at its position in the answer. */
async function assignNamed(call: PlatformCall): Promise<JsonMembers> {
  const list = new Sent(call.body).list('permission_assignments');
  if (!list) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'permission_assignments' });
  if (list.length > MOST)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `A request can assign at most ${MOST} principals.` });
  const asked = list.map(readOne);
  const assigned: JsonMembers[] = [];
  for (const { name, kind, field, level } of asked) {
    const find: Finder = async (tx) => {
      const principal = await byLogin(tx, accountIn(call).id, kind, name);
      if (!principal) throw errors.RESOURCE_DOES_NOT_EXIST({ reason: 'Principal not found in account.' });
      return principal;
    };
    try {
      assigned.push(await assignAs(call, workspaceIn(call).id, find, level));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      assigned.push({ principal: { [field]: name }, error: `${error.code}: ${error.message}` });
    }
  }
  return { permission_assignments: assigned };
}

function readOne(sent: Sent) {
  const given = NAMES.filter(([field]) => sent.has(field));
  const [only] = given;
  if (!only || given.length > 1) {
    const reason = `An assignment must name one principal, by ${NAMES.map(([field]) => field).join(', ')}.`;
    throw errors.INVALID_PARAMETER_VALUE({ reason });
  }
  const level = levelIn(sent);
  if (!level) throw errors.INVALID_PARAMETER_VALUE({ reason: 'An assignment must have the permission USER or ADMIN.' });
  const [field, kind] = only;
  return { field, kind, name: sent.need(field), level };
}

const row = (method: Operation['method'], end: string, verb: string, summary: string, code: Operation['code']) =>
  ({ method, path: `${PATH}${end}`, operation: `ownAssignment_${verb}`, summary, needs: 'admin', code }) as const;

export const OWN_ASSIGNMENT_OPERATIONS: readonly Operation[] = [
  row(
    'GET',
    '',
    'list',
    'List the principals assigned to the workspace',
    routeCode([], { handle: async (call) => ok(await listAssignments(call, workspaceIn(call).id)) }),
  ),
  row(
    'POST',
    '',
    'create',
    'Assign principals to the workspace by name',
    routeCode([], { handle: async (call) => ok(await assignNamed(call)) }),
  ),
  row(
    'GET',
    '/permissions',
    'levels',
    'List the permission levels of assignments',
    routeCode([], { handle: async () => ok({ permissions: LEVELS }) }),
  ),
  row(
    'PUT',
    '/principals/{principal_id}',
    'update',
    'Assign a principal to the workspace',
    routeCode(['principal_id'], {
      handle: async (call) => ok(await setAssignment(call, workspaceIn(call).id, call.params.principal_id)),
    }),
  ),
  row(
    'DELETE',
    '/principals/{principal_id}',
    'delete',
    'Remove a principal from the workspace',
    routeCode(['principal_id'], {
      async handle(call) {
        await removeAssignment(call, workspaceIn(call).id, call.params.principal_id);
        return ok({});
      },
    }),
  ),
];
