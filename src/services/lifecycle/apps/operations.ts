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
    summary: 'The apps that the user sees: his own, those he works on, all of organizations he administers',
    needs: 'accountRead',
    livesOn: true,
    code: listApps,
  },
  {
    method: 'POST',
    path: '/apps',
    operation: 'apps_create',
    summary: 'Makes an app of the user',
    needs: 'account',
    code: createApp,
  },
  {
    method: 'GET',
    path: '/orgs/{org_name}/apps',
    operation: 'apps_listForOrg',
    summary: 'The apps of the organization that the user sees',
    needs: 'orgRead',
    livesOn: true,
    code: listOrgApps,
  },
  {
    method: 'POST',
    path: '/orgs/{org_name}/apps',
    operation: 'apps_createForOrg',
    summary: 'Makes an app of the organization, with the user as its manager',
    needs: 'orgSee',
    code: createOrgApp,
  },
  {
    method: 'GET',
    path: APP,
    operation: 'apps_get',
    summary: 'An app',
    needs: 'appRead',
    livesOn: true,
    code: getApp,
  },
  {
    method: 'GET',
    path: '/users/{owner_name}/apps/{app_name}',
    operation: 'apps_getByUserAddress',
    summary: 'An app, by the address of its page',
    needs: 'appRead',
    livesOn: true,
    code: getByUserAddress,
  },
  {
    method: 'GET',
    path: '/orgs/{owner_name}/apps/{app_name}',
    operation: 'apps_getByOrgAddress',
    summary: 'An app, by the address of its page',
    needs: 'appRead',
    livesOn: true,
    code: getByOrgAddress,
  },
  {
    method: 'PATCH',
    path: APP,
    operation: 'apps_update',
    summary: 'Changes what is said of the app; another name is another address',
    needs: 'appManage',
    code: updateApp,
  },
  {
    method: 'DELETE',
    path: APP,
    operation: 'apps_delete',
    summary: 'Deletes the app with all that belongs to it',
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
    summary: 'Gives a collaborator another role; the last manager stays one',
    needs: 'appManage',
    code: updateCollaborator,
  },
  {
    method: 'DELETE',
    path: `${APP}/users/{user_email}`,
    operation: 'apps_removeUser',
    summary: 'Removes a collaborator, or oneself; never the owner or the last manager',
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
    summary: 'Gives the app to oneself or to an organization that one works for',
    needs: 'appAdminister',
    code: transferApp,
  },
  {
    method: 'POST',
    path: `${APP}/transfer_to_org`,
    operation: 'apps_transferToOrg',
    summary: 'Makes an organization and gives it the app',
    needs: 'appAdminister',
    code: transferAppToNewOrg,
  },
];
