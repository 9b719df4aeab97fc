import {
  type App,
  appMembers,
  type HeldToken,
  type Org,
  orgMembers,
  pair,
  teamMembers,
  type User,
} from '../collections.ts';
import { type AppStanding, higher, lower, type OrgRole } from '../roles.ts';
import { current, type Source } from './find.ts';

export async function orgRoleOf(source: Source, { id }: Pick<Org, 'id'>, userId: string): Promise<OrgRole | undefined> {
  return (await current(source, orgMembers, pair(id, userId)))?.value.role;
}

/**
 * A user's current standing in an app: the highest of ownership, direct role and team roles. Returns undefined if the user cannot see the
 * app.
 */
export async function appStandingOf(source: Source, app: App, userId: string): Promise<AppStanding | undefined> {
  const { owner } = app;
  if (owner.kind === 'user' && owner.id === userId) return 'administrator';
  if (owner.kind === 'org' && (await orgRoleOf(source, owner, userId)) === 'admin') return 'administrator';
  let standing: AppStanding | undefined = (await current(source, appMembers, pair(app.id, userId)))?.value.role;
  for (const { teamId, role } of app.teams) {
    if (higher(standing, role) === standing) continue;
    if (await current(source, teamMembers, pair(teamId, userId))) standing = higher(standing, role);
  }
  return standing;
}

/** At most the token's scope and at most its user's current standing, so demoting a user also demotes their tokens. */
export async function tokenStandingOf(
  source: Source,
  app: App,
  { userId, appId, scope }: HeldToken,
): Promise<AppStanding | undefined> {
  const held = await appStandingOf(source, app, userId);
  if (held === undefined) return undefined;
  if (scope === 'viewer') return 'viewer';
  return appId === undefined ? held : lower(held, 'manager');
}

export const isSelf = ({ email, name }: User, by: 'user_email' | 'user_name', value: string): boolean =>
  (by === 'user_email' ? email : name).toLowerCase() === value.toLowerCase();
