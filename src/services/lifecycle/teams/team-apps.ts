import { Type } from 'typebox';
import { created, noContent, ok } from '../../../kernel/http/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { accessOf, orgOf, userOf } from '../access/access.ts';
import { appStandingOf } from '../access/standing.ts';
import { recordChange } from '../accounts/changes.ts';
import { appView, type VisibleApp } from '../apps/shape.ts';
import { inOrderOf, ownerAppsVisibleTo } from '../apps/visible-apps.ts';
import { type App, appNames, apps, nameKey, type Org, type Team, type User } from '../collections.ts';
import { errors, gateway } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { APP_ROLES, type AppRole, appRank } from '../roles.ts';
import { changeableTeam, findTeam } from './find-team.ts';
import { putGrant, revokeGrants } from './grants.ts';
import { TeamAppView } from './shape.ts';

/** The default role of a team in an app. */
const FIRST_ROLE: AppRole = 'developer';

type Viewing = Parameters<typeof appView>[0];

async function teamAppView(viewing: Viewing, { app, standing }: VisibleApp, team: Team) {
  const grant = app.teams.find(({ teamId }) => teamId === team.id);
  return { ...(await appView(viewing, { app, standing })), team_permissions: grant ? [grant.role] : [] };
}

/** Members of the team and admins see all apps; other callers see the apps that they can see themselves. */
export const listTeamApps = routeCode(['team_name'], {
  responses: { 200: Type.Array(TeamAppView) },
  async handle(call) {
    const { store } = call.jar;
    const team = await findTeam(store, call);
    const seen = (await ownerAppsVisibleTo(store, team.orgId, accessOf(call).token)).filter(({ app }) =>
      isGranted(team, app),
    );
    const views = inOrderOf(seen, 'display_name').map((each) => teamAppView(call, each, team));
    return ok(await Promise.all(views));
  },
});

export const addTeamApp = routeCode(['team_name'], {
  body: Type.Object({ name: Type.String() }),
  responses: { 201: TeamAppView },
  async handle(call) {
    const { jar, body } = call;
    const { team, ...granted } = await jar.store.transact(async (tx) => {
      const team = await changeableTeam(tx, call);
      const { app, standing } = await managedApp(tx, orgOf(call), body.name, userOf(call));
      if (isGranted(team, app)) {
        throw errors.Conflict({ reason: `The team '${team.name}' already has the app '${app.name}'.` });
      }
      const after = await putGrant(tx, jar, app, { teamId: team.id, role: FIRST_ROLE });
      await recordChange(tx, jar, 'write', subjectOf(team, app), { role: FIRST_ROLE });
      return { team, app: after, standing };
    });
    return created(await teamAppView(call, granted, team));
  },
});

export const updateTeamApp = routeCode(['team_name', 'app_name'], {
  body: Type.Object({ permissions: Type.Array(Type.Enum([...APP_ROLES]), { minItems: 1, maxItems: 1 }) }),
  responses: { 200: TeamAppView },
  async handle(call) {
    const { jar, body, params } = call;
    const role = body.permissions[0] as AppRole;
    const { team, ...granted } = await jar.store.transact(async (tx) => {
      const team = await changeableTeam(tx, call);
      const { app } = await managedApp(tx, orgOf(call), params.app_name, userOf(call));
      requireGrant(team, app);
      const after = await putGrant(tx, jar, app, { teamId: team.id, role });
      await recordChange(tx, jar, 'write', subjectOf(team, app), { role });
      return { team, app: after, standing: await appStandingOf(tx, after, userOf(call).id) };
    });
    return ok(await teamAppView(call, granted, team));
  },
});

export const removeTeamApp = routeCode(['team_name', 'app_name'], {
  responses: { 204: 'Removed' },
  async handle(call) {
    const { jar, params } = call;
    await jar.store.transact(async (tx) => {
      const team = await changeableTeam(tx, call);
      const app = await heldApp(tx, orgOf(call), params.app_name);
      if (!app) throw noSuchApp(orgOf(call), params.app_name);
      requireGrant(team, app);
      await revokeGrants(tx, jar, app, ({ teamId }) => teamId === team.id);
      await recordChange(tx, jar, 'delete', subjectOf(team, app));
    });
    return noContent();
  },
});

const subjectOf = (team: Team, app: App): string => `lifecycle/orgs/${team.orgId}/teams/${team.id}/apps/${app.id}`;

const noSuchApp = ({ name }: Org, appName: string) =>
  errors.NotFound({ reason: `There is no app '${appName.slice(0, 100)}' in the organization '${name}'.` });

const isGranted = (team: Team, app: App): boolean => app.teams.some(({ teamId }) => teamId === team.id);

function requireGrant(team: Team, app: App): void {
  if (isGranted(team, app)) return;
  throw errors.NotFound({ reason: `The team '${team.name}' does not have the app '${app.name}'.` });
}

/** Locks the app until the transaction ends. */
async function heldApp(tx: Tx, org: Org, appName: string): Promise<App | undefined> {
  const named = await tx.get(appNames, nameKey(org.id, appName), 'none');
  return named && (await tx.get(apps, named.value.appId))?.value;
}

/**
 * A caller cannot grant a team more than they could grant its members individually. An app that the caller cannot see counts as missing.
 */
async function managedApp(tx: Tx, org: Org, appName: string, { id: userId }: User): Promise<VisibleApp> {
  const app = await heldApp(tx, org, appName);
  const standing = app && (await appStandingOf(tx, app, userId));
  if (!app || !standing) throw noSuchApp(org, appName);
  if (appRank(standing) < appRank('manager')) {
    throw gateway.forbidden(`this requires the role manager in the app, and yours is ${standing}`);
  }
  return { app, standing };
}
