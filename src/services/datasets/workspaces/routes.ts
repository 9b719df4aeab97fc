import { type Operation, organizationRoutes } from '../operation.ts';
import { createWorkspace } from './create.ts';
import { deleteWorkspace } from './delete.ts';
import { listWorkspaces } from './list.ts';

const OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: '/groups',
    operation: 'ListGroups',
    summary: 'The workspaces that the caller is a member of',
    needs: 'workspaceList',
    code: listWorkspaces,
  },
  {
    method: 'POST',
    path: '/groups',
    operation: 'CreateGroup',
    summary: 'A new workspace, of which the caller is the administrator',
    needs: 'workspaceCreate',
    code: createWorkspace,
  },
  {
    method: 'DELETE',
    path: '/groups/{group}',
    operation: 'DeleteGroup',
    summary: 'Deletes a workspace with all of its datasets',
    needs: 'workspaceManage',
    code: deleteWorkspace,
  },
];

export const workspacesRoutes = organizationRoutes(OPERATIONS);
