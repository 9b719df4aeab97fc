import type { Jar } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { type App, apps, type TeamGrant } from '../collections.ts';
import { errors } from '../errors.ts';
import { APP_TEAMS } from '../limits.ts';

/**
 * The roles of teams in an app are stored with the app, which every request has cached. These functions change them in a transaction that
 * holds the app's lock.
 */

/** Grants a team a role in an app, or changes it. */
export async function putGrant(tx: Tx, { limits }: Pick<Jar, 'limits'>, app: App, grant: TeamGrant): Promise<App> {
  const others = app.teams.filter(({ teamId }) => teamId !== grant.teamId);
  if (others.length === app.teams.length) {
    const decision = await limits.takeQuota(tx, { limit: APP_TEAMS, scope: [app.id] });
    if (!decision.allowed) {
      throw errors.BadRequest({ reason: `The app '${app.name}' has ${decision.current} teams, which is the maximum.` });
    }
  }
  return (await tx.put(apps, app.id, { ...app, teams: [...others, grant] })).value;
}

/** Revokes the grants of an app: those selected by `which`, by default all. */
export async function revokeGrants(
  tx: Tx,
  { limits }: Pick<Jar, 'limits'>,
  app: App,
  which: (grant: TeamGrant) => boolean = () => true,
): Promise<App> {
  const kept = app.teams.filter((grant) => !which(grant));
  const count = app.teams.length - kept.length;
  if (count === 0) return app;
  await limits.freeQuota(tx, { limit: APP_TEAMS, scope: [app.id], count });
  return (await tx.put(apps, app.id, { ...app, teams: kept })).value;
}
