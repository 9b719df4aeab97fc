import { Type } from 'typebox';
import { created, noContent, ok } from '../../../kernel/http/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import { eq, readAll } from '../../../kernel/store/index.ts';
import { orgOf, userOf } from '../access/access.ts';
import { recordChange } from '../accounts/changes.ts';
import { checkName, nameFor } from '../accounts/names.ts';
import { apps, type Team, teamMembers, teams } from '../collections.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { TEAM_MEMBERS } from '../limits.ts';
import { lockPeople, requireOrgRole } from '../orgs/current-rights.ts';
import { DisplayName } from '../orgs/shape.ts';
import { changeableTeam, findTeam, teamOfName } from './find-team.ts';
import { revokeGrants } from './grants.ts';
import { TeamView, teamView } from './shape.ts';
import { putTeamMember } from './team-people.ts';

const LONGEST_DESCRIPTION = 1000;

export const listTeams = routeCode([], {
  responses: { 200: Type.Array(TeamView) },
  async handle(call) {
    const found = await readAll(call.jar.store, teams, {
      filter: eq('orgId', orgOf(call).id),
      order: [{ field: 'name' }],
    });
    return ok(found.map(({ value }) => teamView(value)));
  },
});

export const createTeam = routeCode([], {
  body: Type.Object({
    display_name: DisplayName,
    name: Type.Optional(Type.String()),
    description: Type.Optional(Type.Union([Type.String({ maxLength: LONGEST_DESCRIPTION }), Type.Null()])),
  }),
  responses: { 201: TeamView },
  async handle(call) {
    const { jar, body } = call;
    const { id: orgId } = orgOf(call);
    const { display_name: displayName, name = nameFor(displayName), description = null } = body;
    checkName(name);
    const team: Team = { id: uuid(), orgId, name, displayName, description };
    await jar.store.transact(async (tx) => {
      // Locks out a concurrent team with the same name and the deletion of the organization.
      await lockPeople(tx, orgId);
      await requireOrgRole(tx, call, 'collaborator');
      if (await teamOfName(tx, orgId, name)) {
        const reason = `The organization already has a team with the name '${name}'.`;
        throw errors.Conflict({ reason }, { target: 'name' });
      }
      await tx.put(teams, team.id, team);
      await putTeamMember(tx, jar, { teamId: team.id, orgId, userId: userOf(call).id, role: 'maintainer' });
      await recordChange(tx, jar, 'write', `lifecycle/orgs/${orgId}/teams/${team.id}`, { name });
    });
    return created(teamView(team));
  },
});

export const getTeam = routeCode(['team_name'], {
  responses: { 200: TeamView },
  handle: async (call) => ok(teamView(await findTeam(call.jar.store, call))),
});

export const updateTeam = routeCode(['team_name'], {
  body: Type.Object({ display_name: DisplayName }),
  responses: { 200: TeamView },
  async handle(call) {
    const { jar, body } = call;
    const team = await jar.store.transact(async (tx) => {
      const before = await changeableTeam(tx, call);
      const after: Team = { ...before, displayName: body.display_name };
      await tx.put(teams, after.id, after);
      await recordChange(tx, jar, 'write', `lifecycle/orgs/${after.orgId}/teams/${after.id}`, { name: after.name });
      return after;
    });
    return ok(teamView(team));
  },
});

export const deleteTeam = routeCode(['team_name'], {
  responses: { 204: 'Deleted' },
  async handle(call) {
    const { jar } = call;
    await jar.store.transact(async (tx) => {
      const { id, orgId, name } = await changeableTeam(tx, call);
      const granting = { op: 'has', field: 'teamIds', value: id } as const;
      for (const { key } of await readAll(tx, apps, { filter: granting })) {
        const app = await tx.get(apps, key);
        if (app) await revokeGrants(tx, jar, app.value, (grant) => grant.teamId === id);
      }
      const members = await readAll(tx, teamMembers, { filter: eq('teamId', id) });
      for (const { key } of members) await tx.delete(teamMembers, key);
      await jar.limits.freeQuota(tx, { limit: TEAM_MEMBERS, scope: [id], count: members.length });
      await tx.delete(teams, id);
      await recordChange(tx, jar, 'delete', `lifecycle/orgs/${orgId}/teams/${id}`, { name });
    });
    return noContent();
  },
});
