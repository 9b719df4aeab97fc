import { Type } from 'typebox';
import { created, noContent, ok } from '../../../kernel/http/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { eq, readAll, type Tx } from '../../../kernel/store/index.ts';
import { byName } from '../../../kernel/values/index.ts';
import { orgOf, userOf } from '../access/access.ts';
import { isSelf } from '../access/standing.ts';
import { recordChange } from '../accounts/changes.ts';
import { findUsers, userByEmail, userByName } from '../accounts/find-people.ts';
import { checkEmail } from '../accounts/names.ts';
import { orgMembers, pair, type TeamMember, teamMembers } from '../collections.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { TEAM_MEMBERS } from '../limits.ts';
import { notAMember } from '../orgs/people.ts';
import { changeableTeam, findTeam, heldTeam } from './find-team.ts';
import { TeamPersonView, teamPersonView } from './shape.ts';

export const listTeamPeople = routeCode(['team_name'], {
  responses: { 200: Type.Array(TeamPersonView) },
  async handle(call) {
    const { store } = call.jar;
    const team = await findTeam(store, call);
    const members = await readAll(store, teamMembers, { filter: eq('teamId', team.id) });
    const byUser = new Map(members.map(({ value }) => [value.userId, value]));
    const people = await findUsers(store, [...byUser.keys()]);
    const views = people.map((user) => teamPersonView(user, byUser.get(user.id) as TeamMember));
    return ok(views.sort(byName));
  },
});

export const addTeamPerson = routeCode(['team_name'], {
  body: Type.Object({ user_email: Type.String() }),
  responses: { 201: TeamPersonView },
  async handle(call) {
    const { jar, body } = call;
    const org = orgOf(call);
    checkEmail(body.user_email);
    const view = await jar.store.transact(async (tx) => {
      const team = await changeableTeam(tx, call);
      const user = await userByEmail(tx, body.user_email);
      // Locked, so that a user who leaves the organization concurrently does not stay in the team.
      const inOrg = user && (await tx.get(orgMembers, pair(org.id, user.id)));
      if (!inOrg) throw notAMember(org, body.user_email);
      const member = { teamId: team.id, orgId: org.id, userId: user.id, role: 'collaborator' } as const;
      // The message of the real service.
      if (await tx.get(teamMembers, pair(team.id, user.id))) throw errors.Conflict({ reason: 'Validation error' });
      await putTeamMember(tx, jar, member);
      await recordChange(tx, jar, 'write', `lifecycle/orgs/${org.id}/teams/${team.id}/users/${user.id}`);
      return teamPersonView(user, member);
    });
    return created(view);
  },
});

export const removeTeamPerson = routeCode(['team_name', 'user_name'], {
  responses: { 204: 'Removed' },
  async handle(call) {
    const { jar, params } = call;
    const isLeaving = isSelf(userOf(call), 'user_name', params.user_name);
    await jar.store.transact(async (tx) => {
      const team = isLeaving ? await heldTeam(tx, call) : await changeableTeam(tx, call);
      const user = await userByName(tx, params.user_name);
      const isGone = user !== undefined && (await tx.delete(teamMembers, pair(team.id, user.id)));
      if (!isGone) {
        const who = params.user_name.slice(0, 100);
        throw errors.NotFound({ reason: `'${who}' is not a member of the team '${team.name}'.` });
      }
      await jar.limits.freeQuota(tx, { limit: TEAM_MEMBERS, scope: [team.id] });
      await recordChange(tx, jar, 'delete', `lifecycle/orgs/${team.orgId}/teams/${team.id}/users/${user.id}`);
    });
    return noContent();
  },
});

/** The user must not be in the team yet. */
export async function putTeamMember(tx: Tx, { limits }: Pick<Jar, 'limits'>, member: TeamMember): Promise<void> {
  const decision = await limits.takeQuota(tx, { limit: TEAM_MEMBERS, scope: [member.teamId] });
  if (!decision.allowed) {
    throw errors.BadRequest({ reason: `The team has ${decision.current} members, which is the maximum.` });
  }
  await tx.put(teamMembers, pair(member.teamId, member.userId), member);
}
