import type { Operation } from '../operation.ts';
import { getByOrgAddress, getByUserAddress } from './by-address.ts';
import { listCollaborators, removeCollaborator, updateCollaborator } from './collaborators.ts';
import { createApp, createOrgApp } from './create.ts';
import { listApps, listOrgApps } from './list.ts';
import { deleteApp, getApp, updateApp } from './one.ts';
import { listAppTeams } from './teams.ts';
import { listTesters } from './testers.ts';
import { transferApp, transferAppToNewOrg } from './transfer.ts';

const APP = '/apps/{owner_name}/{app_name}';

export const APP_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: '/apps',
    operation: 'apps_list',
    summary:
      'The apps that the user can see: owned, as a collaborator, and all apps of organizations where the user is an admin',
    needs: 'accountRead',
    survivesRetirement: true,
    code: listApps,
  },
  {
    method: 'POST',
    path: '/apps',
    operation: 'apps_create',
    summary: 'Creates an app owned by the user',
    needs: 'account',
    code: createApp,
  },
  {
    method: 'GET',
    path: '/orgs/{org_name}/apps',
    operation: 'apps_listForOrg',
    summary: 'The apps of the organization that the user can see',
    needs: 'orgRead',
    survivesRetirement: true,
    code: listOrgApps,
  },
  {
    method: 'POST',
    path: '/orgs/{org_name}/apps',
    operation: 'apps_createForOrg',
    summary: 'Creates an app owned by the organization, with the user as its manager',
    needs: 'orgSee',
    code: createOrgApp,
  },
  {
    method: 'GET',
    path: APP,
    operation: 'apps_get',
    summary: 'An app',
    needs: 'appRead',
    survivesRetirement: true,
    code: getApp,
  },
  {
    method: 'GET',
    path: '/users/{owner_name}/apps/{app_name}',
    operation: 'apps_getByUserAddress',
    summary: 'An app, by the URL of its page',
    needs: 'appRead',
    survivesRetirement: true,
    code: getByUserAddress,
  },
  {
    method: 'GET',
    path: '/orgs/{owner_name}/apps/{app_name}',
    operation: 'apps_getByOrgAddress',
    summary: 'An app, by the URL of its page',
    needs: 'appRead',
    survivesRetirement: true,
    code: getByOrgAddress,
  },
  {
    method: 'PATCH',
    path: APP,
    operation: 'apps_update',
    summary: 'Changes the properties of the app; a new name changes its URL',
    needs: 'appManage',
    code: updateApp,
  },
  {
    method: 'DELETE',
    path: APP,
    operation: 'apps_delete',
    summary: 'Deletes the app and all its data',
    needs: 'appAdminister',
    code: deleteApp,
  },
  {
    method: 'GET',
    path: `${APP}/users`,
    operation: 'users_list',
    summary: 'The collaborators of the app, with their roles',
    needs: 'appRead',
    code: listCollaborators,
  },
  {
    method: 'PATCH',
    path: `${APP}/users/{user_email}`,
    operation: 'apps_updateUserPermissions',
    summary: 'Changes the role of a collaborator; the last manager cannot be demoted',
    needs: 'appManage',
    code: updateCollaborator,
  },
  {
    method: 'DELETE',
    path: `${APP}/users/{user_email}`,
    operation: 'apps_removeUser',
    summary: 'Removes a collaborator or the user themselves; the owner and the last manager cannot be removed',
    needs: 'appManageOrSelf',
    code: removeCollaborator,
  },
  {
    method: 'GET',
    path: `${APP}/teams`,
    operation: 'apps_getTeams',
    summary: 'The teams that work on the app, with their roles',
    needs: 'appSee',
    code: listAppTeams,
  },
  {
    method: 'GET',
    path: `${APP}/testers`,
    operation: 'apps_listTesters',
    summary: 'The members of the distribution groups of the app',
    needs: 'appSee',
    code: listTesters,
  },
  {
    method: 'POST',
    path: `${APP}/transfer/{destination_owner_name}`,
    operation: 'apps_transferOwnership',
    summary: 'Transfers the app to the user, or to an organization of which the user is a collaborator',
    needs: 'appAdminister',
    code: transferApp,
  },
  {
    method: 'POST',
    path: `${APP}/transfer_to_org`,
    operation: 'apps_transferToOrg',
    summary: 'Creates an organization and transfers the app to it',
    needs: 'appAdminister',
    code: transferAppToNewOrg,
  },
];
