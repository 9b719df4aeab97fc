import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { byName } from '../../../kernel/values/index.ts';
import { appOf } from '../access/access.ts';
import { teams } from '../collections.ts';
import { routeCode } from '../jar.ts';
import { APP_ROLES } from '../roles.ts';

const AppTeamView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  display_name: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  permissions: Type.Array(Type.Enum([...APP_ROLES])),
});

/** The organization's teams with a role in the app. */
export const listAppTeams = routeCode([], {
  responses: { 200: Type.Array(AppTeamView) },
  async handle(call) {
    const { store } = call.jar;
    const views = await Promise.all(
      appOf(call).teams.map(async ({ teamId, role }) => {
        const team = (await store.get(teams, teamId))?.value;
        if (!team) return [];
        const { id, name, displayName, description } = team;
        return [{ id, name, display_name: displayName, description, permissions: [role] }];
      }),
    );
    return ok(views.flat().sort(byName));
  },
});
