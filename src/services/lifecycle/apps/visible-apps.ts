import { eq, type Filter, readAll, type Store } from '../../../kernel/store/index.ts';
import { compareText } from '../../../kernel/values/index.ts';
import { type App, type AppMember, appMembers, apps, type HeldToken, orgMembers, teamMembers } from '../collections.ts';
import { type AppStanding, higher, lower } from '../roles.ts';
import type { VisibleApp } from './shape.ts';

/** The apps that a user can see, with the user's standing in each, read in bulk instead of one by one. */

/** Ids per query. */
const AT_ONCE = 200;

interface Ties {
  readonly userId: string;
  /** Keyed by app id. */
  readonly roles: ReadonlyMap<string, AppMember['role']>;
  readonly teamIds: ReadonlySet<string>;
  readonly administeredOrgIds: ReadonlySet<string>;
}

async function tiesOf(store: Store, userId: string): Promise<Ties> {
  const ofUser = eq('userId', userId);
  const [named, inTeams, inOrgs] = await Promise.all([
    readAll(store, appMembers, { filter: ofUser }),
    readAll(store, teamMembers, { filter: ofUser }),
    readAll(store, orgMembers, { filter: ofUser }),
  ]);
  return {
    userId,
    roles: new Map(named.map(({ value }) => [value.appId, value.role])),
    teamIds: new Set(inTeams.map(({ value }) => value.teamId)),
    administeredOrgIds: new Set(inOrgs.filter(({ value }) => value.role === 'admin').map(({ value }) => value.orgId)),
  };
}

/** Must give the same result as `appStandingOf` gives for one app. */
function standingBy({ userId, roles, teamIds, administeredOrgIds }: Ties, app: App): AppStanding | undefined {
  const { owner } = app;
  if (owner.kind === 'user' ? owner.id === userId : administeredOrgIds.has(owner.id)) return 'administrator';
  let standing: AppStanding | undefined = roles.get(app.id);
  for (const { teamId, role } of app.teams) if (teamIds.has(teamId)) standing = higher(standing, role);
  return standing;
}

/** All apps that the token's user can see. */
export async function appsVisibleTo(store: Store, token: HeldToken): Promise<VisibleApp[]> {
  const ties = await tiesOf(store, token.userId);
  const found = new Map<string, App>();
  const add = async (filter: Filter): Promise<void> => {
    for (const { value } of await readAll(store, apps, { filter })) found.set(value.id, value);
  };
  for (const values of inSlices([ties.userId, ...ties.administeredOrgIds])) {
    await add({ op: 'in', field: 'ownerId', values });
  }
  for (const values of inSlices([...ties.teamIds])) await add({ op: 'hasAny', field: 'teamIds', values });
  const others = [...ties.roles.keys()].filter((id) => !found.has(id));
  for (const ids of inSlices(others)) {
    const stored = await Promise.all(ids.map((id) => store.cached(apps, id)));
    for (const each of stored) if (each) found.set(each.key, each.value);
  }
  return seenOf(ties, token, [...found.values()]);
}

/** The owner's apps that the token's user can see. */
export async function ownerAppsVisibleTo(store: Store, ownerId: string, token: HeldToken): Promise<VisibleApp[]> {
  const [ties, owned] = await Promise.all([
    tiesOf(store, token.userId),
    readAll(store, apps, { filter: eq('ownerId', ownerId) }),
  ]);
  return seenOf(
    ties,
    token,
    owned.map(({ value }) => value),
  );
}

function seenOf(ties: Ties, { scope }: Pick<HeldToken, 'scope'>, candidates: readonly App[]): VisibleApp[] {
  return candidates.flatMap((app) => {
    const held = standingBy(ties, app);
    if (held === undefined) return [];
    return [{ app, standing: scope === 'viewer' ? lower(held, 'viewer') : held }];
  });
}

function* inSlices<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += AT_ONCE) yield all.slice(at, at + AT_ONCE);
}

/** Sorts by display name or name, case-insensitively. */
export function inOrderOf(seen: readonly VisibleApp[], by: 'display_name' | 'name'): VisibleApp[] {
  const keyOf = ({ app }: VisibleApp) => (by === 'name' ? app.name : app.displayName).toLowerCase();
  return [...seen].sort((a, b) => compareText(keyOf(a), keyOf(b)) || compareText(a.app.id, b.app.id));
}
