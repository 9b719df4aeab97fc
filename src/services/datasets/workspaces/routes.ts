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
    summary: 'The workspaces of which the caller is a member',
    needs: 'workspaceList',
    code: listWorkspaces,
  },
  {
    method: 'POST',
    path: '/groups',
    operation: 'CreateGroup',
    summary: 'Creates a workspace, with the caller as its administrator',
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
    summary: 'Renames a workspace',
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
    summary: 'Adds a user to a workspace',
    needs: 'workspaceManage',
    code: addWorkspaceUser,
  },
  {
    method: 'PUT',
    path: '/groups/{group}/users',
    operation: 'UpdateGroupUser',
    summary: 'Changes the right of a user in a workspace',
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
