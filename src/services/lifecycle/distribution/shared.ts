import { Type } from 'typebox';
import { noContent, ok } from '../../../kernel/http/index.ts';
import type { Call } from '../../../kernel/service/index.ts';
import { eq, readAll, type Tx } from '../../../kernel/store/index.ts';
import { byName } from '../../../kernel/values/index.ts';
import { accessOf, orgOf } from '../access/access.ts';
import { tokenStandingOf } from '../access/standing.ts';
import { findUsers } from '../accounts/find-people.ts';
import { APP_PROPERTIES, AppView, appViews, type VisibleApp } from '../apps/shape.ts';
import { inOrderOf, ownerAppsVisibleTo } from '../apps/visible-apps.ts';
import { type App, appNames, apps, nameKey, orgMembers } from '../collections.ts';
import { errors, gateway } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { appRank } from '../roles.ts';
import { type DistributionGroup, distributionGroups, testers } from './collections.ts';
import { findGroup, holdGroup, listGroups, putGroup } from './groups.ts';
import { orgPlace } from './places.ts';
import { GROUP_PROPERTIES, groupView, NamedApps } from './shape.ts';
import { testersOfOrg } from './testers.ts';

const {
  app_secret: _secret,
  azure_subscription: _linked,
  member_permissions: _permissions,
  ...SHARING
} = APP_PROPERTIES;

/** The properties shown of an app that shares a group: nothing that requires a role in the app. */
const SharingAppView = Type.Object(SHARING);

async function sharingViews(call: Pick<Call, 'jar' | 'origin' | 'facts'>, seen: readonly VisibleApp[]) {
  const views = await appViews(call, inOrderOf(seen, 'display_name'));
  return views.map(({ app_secret, azure_subscription, member_permissions, ...view }) => view);
}

const seenApps = (call: Pick<Call, 'jar' | 'facts'>): Promise<VisibleApp[]> =>
  ownerAppsVisibleTo(call.jar.store, orgOf(call).id, accessOf(call).token);

/** Only the apps that the caller can see. */
export const listGroupApps = routeCode(['distribution_group_name'], {
  responses: { 200: Type.Array(SharingAppView) },
  async handle(call) {
    const group = await findGroup(call.jar.store, orgPlace(call), call.params.distribution_group_name);
    const seen = (await seenApps(call)).filter(({ app }) => group.appIds.includes(app.id));
    return ok(await sharingViews(call, seen));
  },
});

export const addGroupApps = routeCode(['distribution_group_name'], {
  body: NamedApps,
  responses: { 204: 'Added' },
  async handle(call) {
    const { jar, body, params } = call;
    await jar.store.transact(async (tx) => {
      const group = await holdGroup(tx, orgPlace(call), params.distribution_group_name);
      const appIds = new Set(group.appIds);
      for (const { name } of body.apps) appIds.add(await shareableApp(tx, call, name, group));
      await putGroup(tx, jar, { ...group, appIds: [...appIds] });
    });
    return noContent();
  },
});

/** Apps that do not share the group are ignored. */
export const removeGroupApps = routeCode(['distribution_group_name'], {
  body: NamedApps,
  responses: { 204: 'Removed' },
  async handle(call) {
    const { jar, body, params } = call;
    const { id: orgId } = orgOf(call);
    await jar.store.transact(async (tx) => {
      const group = await holdGroup(tx, orgPlace(call), params.distribution_group_name);
      const appIds = new Set(group.appIds);
      for (const { name } of body.apps) {
        const named = await tx.get(appNames, nameKey(orgId, name), 'none');
        if (named) appIds.delete(named.value.appId);
      }
      await putGroup(tx, jar, { ...group, appIds: [...appIds] });
    });
    return noContent();
  },
});

/** Finds the id of an app in which the caller may manage testers and which has no group of the same name. */
async function shareableApp(
  tx: Tx,
  call: Pick<Call, 'facts'>,
  appName: string,
  group: DistributionGroup,
): Promise<string> {
  const org = orgOf(call);
  const named = await tx.get(appNames, nameKey(org.id, appName), 'none');
  const app: App | undefined = named && (await tx.get(apps, named.value.appId))?.value;
  const standing = app && (await tokenStandingOf(tx, app, accessOf(call).token));
  if (!app || !standing) {
    const reason = `There is no app '${appName.slice(0, 100)}' in the organization '${org.name}'.`;
    throw errors.NotFound({ reason });
  }
  if (appRank(standing) < appRank('developer')) {
    throw gateway.forbidden(`this requires the role developer in the app '${app.name}', and yours is ${standing}`);
  }
  const filter = { op: 'and', args: [eq('ofId', app.id), eq('name', group.name.toLowerCase())] } as const;
  if ((await tx.count(distributionGroups, { filter })) === 0) return app.id;
  throw errors.Conflict({ reason: `The app '${app.name}' already has its own distribution group '${group.name}'.` });
}

const DetailsView = Type.Object({
  ...GROUP_PROPERTIES,
  total_apps_count: Type.Integer(),
  total_users_count: Type.Integer(),
  apps: Type.Array(AppView),
});

/** Counts include all apps; the list contains those that the caller can see, up to `apps_limit`. */
export const listGroupDetails = routeCode([], {
  query: Type.Object({ apps_limit: Type.Optional(Type.Integer({ minimum: 0 })) }),
  responses: { 200: Type.Array(DetailsView) },
  async handle(call) {
    const { store } = call.jar;
    const seen = inOrderOf(await seenApps(call), 'display_name');
    const details = (await listGroups(store, orgPlace(call))).map(async (group) => {
      const shown = seen.filter(({ app }) => group.appIds.includes(app.id)).slice(0, call.query.apps_limit);
      return {
        ...groupView(group),
        total_apps_count: group.appIds.length,
        total_users_count: await store.count(testers, { filter: eq('groupId', group.id) }),
        apps: await appViews(call, shown),
      };
    });
    return ok(await Promise.all(details));
  },
});

const OrgTesterView = Type.Object({ display_name: Type.String(), name: Type.String(), email: Type.String() });

export const listTestersOfOrg = routeCode([], {
  responses: { 200: Type.Array(OrgTesterView) },
  async handle(call) {
    const { store } = call.jar;
    const { id } = orgOf(call);
    const members = await readAll(store, orgMembers, { filter: eq('orgId', id) });
    const ids = new Set([...members.map(({ value }) => value.userId), ...(await testersOfOrg(store, id))]);
    const people = await findUsers(store, [...ids]);
    const views = people.map(({ displayName, name, email }) => ({ display_name: displayName, name, email }));
    return ok(views.sort(byName));
  },
});
