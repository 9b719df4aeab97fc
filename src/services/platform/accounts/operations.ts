import { ok } from '../../../kernel/http/index.ts';
import { eq, readAll } from '../../../kernel/store/index.ts';
import { accountIn, routeCode } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { LEVELS, listAssignments, removeAssignment, setAssignment } from './assignments.ts';
import { workspaces } from './collections.ts';
import { changeWorkspace, createWorkspace, deleteWorkspace, findWorkspace, workspaceView } from './workspaces.ts';

const WORKSPACES = '/accounts/{account_id}/workspaces';
const ASSIGNMENTS = `${WORKSPACES}/{workspace_id}/permissionassignments`;

/** Operations of account administrators on workspaces. */
export const ACCOUNT_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: WORKSPACES,
    operation: 'workspaces_create',
    summary: 'Create a workspace',
    code: routeCode([], {
      handle: async (call) => ({ status: 201, body: workspaceView(await createWorkspace(call)) }),
    }),
  },
  {
    method: 'GET',
    path: WORKSPACES,
    operation: 'workspaces_list',
    summary: 'The workspaces of an account',
    code: routeCode([], {
      async handle(call) {
        const query = { filter: eq('account', accountIn(call).id), order: [{ field: 'name' }] };
        return ok((await readAll(call.jar.store, workspaces, query)).map(({ value }) => workspaceView(value)));
      },
    }),
  },
  {
    method: 'GET',
    path: `${WORKSPACES}/{workspace_id}`,
    operation: 'workspaces_get',
    summary: 'Read a workspace',
    code: routeCode(['workspace_id'], {
      handle: async (call) => ok(workspaceView(await findWorkspace(call.jar.store, call, call.params.workspace_id))),
    }),
  },
  {
    method: 'PATCH',
    path: `${WORKSPACES}/{workspace_id}`,
    operation: 'workspaces_update',
    summary: 'Change a workspace',
    code: routeCode(['workspace_id'], {
      handle: async (call) => ok(workspaceView(await changeWorkspace(call, call.params.workspace_id))),
    }),
  },
  {
    method: 'DELETE',
    path: `${WORKSPACES}/{workspace_id}`,
    operation: 'workspaces_delete',
    summary: 'Delete a workspace with its content',
    code: routeCode(['workspace_id'], {
      handle: async (call) => ok(workspaceView(await deleteWorkspace(call, call.params.workspace_id))),
    }),
  },
  {
    method: 'GET',
    path: ASSIGNMENTS,
    operation: 'workspaceAssignment_list',
    summary: 'List the principals assigned to a workspace',
    code: routeCode(['workspace_id'], {
      handle: async (call) => ok(await listAssignments(call, call.params.workspace_id)),
    }),
  },
  {
    method: 'GET',
    path: `${ASSIGNMENTS}/permissions`,
    operation: 'workspaceAssignment_get',
    summary: 'List the permission levels of assignments',
    code: routeCode(['workspace_id'], {
      async handle(call) {
        await findWorkspace(call.jar.store, call, call.params.workspace_id);
        return ok({ permissions: LEVELS });
      },
    }),
  },
  {
    method: 'PUT',
    path: `${ASSIGNMENTS}/principals/{principal_id}`,
    operation: 'workspaceAssignment_update',
    summary: 'Assign a principal to a workspace',
    code: routeCode(['workspace_id', 'principal_id'], {
      handle: async (call) => ok(await setAssignment(call, call.params.workspace_id, call.params.principal_id)),
    }),
  },
  {
    method: 'DELETE',
    path: `${ASSIGNMENTS}/principals/{principal_id}`,
    operation: 'workspaceAssignment_delete',
    summary: 'Remove a principal from a workspace',
    code: routeCode(['workspace_id', 'principal_id'], {
      async handle(call) {
        await removeAssignment(call, call.params.workspace_id, call.params.principal_id);
        return ok({});
      },
    }),
  },
];
