import { control, dataOf } from '../../shared/api/control.ts';
import { useData } from '../../shared/api/use-data.ts';
import { literal } from '../../shared/list/filter.ts';
import { CHANGED, type GroupRow, type ManagementGroupRow, type ResourceRow, type SubscriptionRow } from './api.ts';

/** More are found by the filter of the list. */
export const MOST_IN_TREE = 1000;

export interface Scopes {
  readonly managementGroups: readonly ManagementGroupRow[];
  readonly subscriptions: readonly SubscriptionRow[];
  readonly groups: readonly GroupRow[];
  /** The domains of tenants, as known from their users. */
  readonly domains: ReadonlyMap<string, string>;
}

const query = { $top: MOST_IN_TREE };

/** Everything above resources, of all tenants. */
export const useScopes = () =>
  useData<Scopes>(
    ['resources', 'scopes'],
    async (signal) => {
      const [managementGroups, subscriptions, groups, users] = await Promise.all([
        dataOf(control.GET('/_jar/resources/management-groups', { params: { query }, signal })),
        dataOf(control.GET('/_jar/resources/subscriptions', { params: { query }, signal })),
        dataOf(control.GET('/_jar/resources/groups', { params: { query }, signal })),
        dataOf(control.GET('/_jar/users', { params: { query }, signal })),
      ]);
      return {
        managementGroups: managementGroups.value,
        subscriptions: subscriptions.value,
        groups: groups.value,
        domains: new Map(users.value.map(({ tenantId, username }) => [tenantId, username.split('@')[1] ?? tenantId])),
      };
    },
    { on: CHANGED },
  );

/** The resources of the groups that are open in the tree. */
export function useResourcesOf(groups: readonly string[]) {
  const filter = groups.map((group) => `startswith(id,${literal(`${group}/`)})`).join(' or ');
  return useData<readonly ResourceRow[]>(
    ['resources', 'of', filter],
    async (signal) => {
      const read = control.GET('/_jar/resources', { params: { query: { ...query, $filter: filter } }, signal });
      return (await dataOf(read)).value;
    },
    { on: CHANGED, enabled: groups.length > 0, keepPrevious: true },
  );
}

/** Names a scope above subscriptions in the tree and in addresses; ids of management groups are not unique among tenants. */
export const tenantScope = (tenantId: string, managementGroup?: string): string =>
  `tenant:${tenantId}${managementGroup === undefined ? '' : `/${managementGroup.toLowerCase()}`}`;

/** The subscriptions below a tenant or management group. */
function subscriptionsIn(scope: string, { subscriptions, managementGroups }: Scopes): readonly string[] {
  const [tenantId = '', group] = scope.slice('tenant:'.length).split('/');
  const below = new Set([group]);
  // A group is found after its parent, whatever the order of the list.
  for (let size = 0; size !== below.size; ) {
    size = below.size;
    for (const { name, parent } of managementGroups) if (below.has(parent)) below.add(name.toLowerCase());
  }
  return subscriptions
    .filter((each) => each.tenantId === tenantId && (group === undefined || below.has(each.managementGroup)))
    .map(({ subscriptionId }) => subscriptionId);
}

/** The resources of a scope as `$filter`; undefined for all of them. */
export function filterOfScope(scope: string | undefined, scopes: Scopes | undefined): string | undefined {
  if (scope === undefined || !scopes) return undefined;
  const [, , subscriptionId = '', , group] = scope.split('/');
  if (group !== undefined) return `startswith(id,${literal(`${scope.toLowerCase()}/`)})`;
  if (scope.startsWith('/')) return `subscriptionId eq ${literal(subscriptionId)}`;
  return `subscriptionId in (${subscriptionsIn(scope, scopes).map(literal).join(',') || "''"})`;
}

/** The way to a scope, for people: `vendor.example / Cloudjar / demo`. */
export function namesOf(scope: string | undefined, scopes: Scopes | undefined): readonly string[] {
  if (scope === undefined || !scopes) return ['All tenants'];
  const { subscriptions, managementGroups, domains } = scopes;
  if (scope.startsWith('tenant:')) {
    const [tenantId = '', name] = scope.slice('tenant:'.length).split('/');
    const group = managementGroups.find((each) => each.tenantId === tenantId && each.name.toLowerCase() === name);
    return [domains.get(tenantId) ?? tenantId, ...(group ? [group.displayName] : [])];
  }
  const [, , subscriptionId = '', , group] = scope.split('/');
  const found = subscriptions.find((each) => each.subscriptionId === subscriptionId);
  const tenant = found && (domains.get(found.tenantId) ?? found.tenantId);
  return [
    ...(tenant === undefined ? [] : [tenant]),
    found?.displayName ?? subscriptionId,
    ...(group === undefined ? [] : [group]),
  ];
}
