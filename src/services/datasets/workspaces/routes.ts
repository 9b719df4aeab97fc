import { type Operation, organizationRoutes } from '../operation.ts';
import { createWorkspace } from './create.ts';
import { deleteWorkspace } from './delete.ts';
import { getWorkspace } from './get.ts';
import { listWorkspaces } from './list.ts';
import { updateWorkspace } from './update.ts';
import { addWorkspaceUser, deleteWorkspaceUser, listWorkspaceUsers, updateWorkspaceUser } from './users.ts';

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
    method: 'GET',
    path: '/groups/{group}',
    operation: 'GetGroup',
    summary: 'One workspace',
    needs: 'workspaceRead',
    code: getWorkspace,
  },
  {
    method: 'PATCH',
    path: '/groups/{group}',
    operation: 'UpdateGroup',
    summary: 'Gives a workspace another name',
    needs: 'workspaceManage',
    code: updateWorkspace,
  },
  {
    method: 'DELETE',
    path: '/groups/{group}',
    operation: 'DeleteGroup',
    summary: 'Deletes a workspace with all of its datasets',
    needs: 'workspaceManage',
    code: deleteWorkspace,
  },
  {
    method: 'GET',
    path: '/groups/{group}/users',
    operation: 'ListGroupUsers',
    summary: 'The users of a workspace and their rights',
    needs: 'workspaceRead',
    code: listWorkspaceUsers,
  },
  {
    method: 'POST',
    path: '/groups/{group}/users',
    operation: 'AddGroupUser',
    summary: 'Gives somebody a right in a workspace',
    needs: 'workspaceManage',
    code: addWorkspaceUser,
  },
  {
    method: 'PUT',
    path: '/groups/{group}/users',
    operation: 'UpdateGroupUser',
    summary: 'Gives a user of a workspace another right',
    needs: 'workspaceManage',
    code: updateWorkspaceUser,
  },
  {
    method: 'DELETE',
    path: '/groups/{group}/users/{user}',
    operation: 'DeleteGroupUser',
    summary: 'Removes a user from a workspace',
    needs: 'workspaceManage',
    code: deleteWorkspaceUser,
  },
];

export const workspacesRoutes = organizationRoutes(OPERATIONS);
