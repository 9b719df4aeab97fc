import type { Operation } from '../operation.ts';
import { addTeamApp, listTeamApps, removeTeamApp, updateTeamApp } from './team-apps.ts';
import { addTeamPerson, listTeamPeople, removeTeamPerson } from './team-people.ts';
import { createTeam, deleteTeam, getTeam, listTeams, updateTeam } from './teams.ts';

/** If the summary says so, the handler restricts further: only maintainers of the team and admins of the organization. */
export const TEAM_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: '/orgs/{org_name}/teams',
    operation: 'teams_listAll',
    summary: 'The teams of an organization',
    needs: 'orgSee',
    code: listTeams,
  },
  {
    method: 'POST',
    path: '/orgs/{org_name}/teams',
    operation: 'teams_createTeam',
    summary: 'Creates a team, with the user as its maintainer',
    needs: 'orgContribute',
    code: createTeam,
  },
  {
    method: 'GET',
    path: '/orgs/{org_name}/teams/{team_name}',
    operation: 'teams_getTeam',
    summary: 'A team',
    needs: 'orgSee',
    code: getTeam,
  },
  {
    method: 'PATCH',
    path: '/orgs/{org_name}/teams/{team_name}',
    operation: 'teams_update',
    summary: 'Changes the display name of a team; for its maintainers and for admins',
    needs: 'orgSee',
    code: updateTeam,
  },
  {
    method: 'DELETE',
    path: '/orgs/{org_name}/teams/{team_name}',
    operation: 'teams_delete',
    summary: 'Deletes a team and the roles that it gave its members; for its maintainers and for admins',
    needs: 'orgSee',
    code: deleteTeam,
  },
  {
    method: 'GET',
    path: '/orgs/{org_name}/teams/{team_name}/users',
    operation: 'teams_getUsers',
    summary: 'The members of a team',
    needs: 'orgSee',
    code: listTeamPeople,
  },
  {
    method: 'POST',
    path: '/orgs/{org_name}/teams/{team_name}/users',
    operation: 'teams_addUser',
    summary: 'Adds a member of the organization to a team; for its maintainers and for admins',
    needs: 'orgSee',
    code: addTeamPerson,
  },
  {
    method: 'DELETE',
    path: '/orgs/{org_name}/teams/{team_name}/users/{user_name}',
    operation: 'teams_removeUser',
    summary: 'Removes a member from a team; for its maintainers, for admins, and for the member',
    needs: 'orgSee',
    code: removeTeamPerson,
  },
  {
    method: 'GET',
    path: '/orgs/{org_name}/teams/{team_name}/apps',
    operation: 'teams_listApps',
    summary: 'The apps that a team works on',
    needs: 'orgSee',
    code: listTeamApps,
  },
  {
    method: 'POST',
    path: '/orgs/{org_name}/teams/{team_name}/apps',
    operation: 'teams_addApp',
    summary: 'Adds an app of the organization to a team; for its maintainers who manage the app, and for admins',
    needs: 'orgSee',
    code: addTeamApp,
  },
  {
    method: 'PATCH',
    path: '/orgs/{org_name}/teams/{team_name}/apps/{app_name}',
    operation: 'teams_updatePermissions',
    summary: 'Changes the role of a team in an app; for its maintainers who manage the app, and for admins',
    needs: 'orgSee',
    code: updateTeamApp,
  },
  {
    method: 'DELETE',
    path: '/orgs/{org_name}/teams/{team_name}/apps/{app_name}',
    operation: 'teams_removeApp',
    summary: 'Removes an app from a team; for its maintainers and for admins',
    needs: 'orgSee',
    code: removeTeamApp,
  },
];
