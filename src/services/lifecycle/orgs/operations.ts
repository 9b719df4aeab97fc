import type { Operation } from '../operation.ts';

const organizations = () => import('./organizations.ts');
const people = () => import('./people.ts');
const personApps = () => import('./person-apps.ts');

export const ORG_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: '/orgs',
    operation: 'organizations_list',
    summary: 'The organizations of which the user is a member',
    needs: 'account',
    code: async () => (await organizations()).listOrgs,
  },
  {
    method: 'POST',
    path: '/orgs',
    operation: 'organizations_createOrUpdate',
    summary: 'Makes an organization, of which the user is the first admin',
    needs: 'account',
    code: async () => (await organizations()).createOrg,
  },
  {
    method: 'GET',
    path: '/administeredOrgs',
    operation: 'organizations_listAdministered',
    summary: 'The organizations of which the user is an admin',
    needs: 'account',
    code: async () => (await organizations()).listAdministeredOrgs,
  },
  {
    method: 'GET',
    path: '/orgs/{org_name}',
    operation: 'organizations_get',
    summary: 'An organization',
    needs: 'orgSee',
    code: async () => (await organizations()).getOrg,
  },
  {
    method: 'PATCH',
    path: '/orgs/{org_name}',
    operation: 'organizations_update',
    summary: 'Gives an organization another name; the addresses of its apps move with it',
    needs: 'orgAdminister',
    code: async () => (await organizations()).updateOrg,
  },
  {
    method: 'DELETE',
    path: '/orgs/{org_name}',
    operation: 'organizations_delete',
    summary: 'Deletes an organization that has no apps',
    needs: 'orgAdminister',
    code: async () => (await organizations()).deleteOrg,
  },
  {
    method: 'GET',
    path: '/orgs/{org_name}/users',
    operation: 'users_listForOrg',
    summary: 'The members of an organization',
    needs: 'orgSee',
    code: async () => (await people()).listPeople,
  },
  {
    method: 'GET',
    path: '/orgs/{org_name}/users/{user_name}',
    operation: 'users_getForOrg',
    summary: 'A member of an organization',
    needs: 'orgSee',
    code: async () => (await people()).getPerson,
  },
  {
    method: 'PATCH',
    path: '/orgs/{org_name}/users/{user_name}',
    operation: 'users_updateOrgRole',
    summary: 'Gives a member of an organization another role; an admin remains',
    needs: 'orgAdminister',
    code: async () => (await people()).updateRole,
  },
  {
    method: 'DELETE',
    path: '/orgs/{org_name}/users/{user_name}',
    operation: 'users_removeFromOrg',
    summary: 'Takes a member out of an organization, its teams and its apps; an admin remains',
    needs: 'orgAdministerOrSelf',
    code: async () => (await people()).removePerson,
  },
  {
    method: 'GET',
    path: '/orgs/{org_name}/users/{user_name}/apps',
    operation: 'apps_getForOrgUser',
    summary: 'The apps of an organization that a member works on',
    needs: 'orgSee',
    code: async () => (await personApps()).listAppsOfPerson,
  },
];
