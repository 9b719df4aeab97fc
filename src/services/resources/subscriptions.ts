import { listPage, queryValue, type Subscription, subscriptionPath, subscriptions } from '../../kernel/arm/index.ts';
import { type Tenant, tenants } from '../../kernel/auth/index.ts';
import { ok, type Route } from '../../kernel/http/index.ts';
import { armRoute, type Call } from '../../kernel/service/index.ts';
import { ACCOUNT_VERSIONS } from './account-versions.ts';
import { locationViews } from './locations/view.ts';
import { LocationListSchema, SubscriptionListSchema, SubscriptionSchema, TenantListSchema } from './schemas.ts';

/** A jar's tenants have no country; tools expect two letters. */
const COUNTRY = 'US';

export const subscriptionRoutes: readonly Route[] = [
  armRoute({
    method: 'GET',
    path: '/subscriptions',
    operation: 'Subscriptions_List',
    summary: "The subscriptions of the caller's tenant",
    action: 'Vendor.Resources/subscriptions/read',
    versions: ACCOUNT_VERSIONS.of('subscriptions'),
    shows: 'list',
    tenantLevel: true,
    responses: { 200: SubscriptionListSchema },
    async handle(call) {
      const filter = { op: 'eq', field: 'tenantId', value: call.caller?.tenantId ?? '' } as const;
      const count = { type: 'Total', value: await call.jar.store.count(subscriptions, { filter }) };
      return listPage(call, subscriptions, { filter }, subscriptionView, { count });
    },
  }),
  armRoute({
    method: 'GET',
    path: '/subscriptions/{subscriptionId}',
    operation: 'Subscriptions_Get',
    summary: 'One subscription',
    action: 'Vendor.Resources/subscriptions/read',
    versions: ACCOUNT_VERSIONS.of('subscriptions'),
    shows: 'one',
    responses: { 200: SubscriptionSchema },
    handle: (_call, arm) => ok(subscriptionView(arm.subscription as Subscription)),
  }),
  armRoute({
    method: 'GET',
    path: '/subscriptions/{subscriptionId}/locations',
    operation: 'Subscriptions_ListLocations',
    summary: 'The regions that a subscription can use',
    action: 'Vendor.Resources/subscriptions/locations/read',
    versions: ACCOUNT_VERSIONS.of('locations'),
    shows: 'list',
    responses: { 200: LocationListSchema },
    handle(call, arm) {
      const { subscriptionId } = arm.subscription as Subscription;
      const withEdgeZones = queryValue(call, 'includeextendedlocations')?.toLowerCase() === 'true';
      return ok({ value: locationViews(subscriptionId, withEdgeZones) });
    },
  }),
  armRoute({
    method: 'GET',
    path: '/tenants',
    operation: 'Tenants_List',
    summary: "The caller's tenant, and the tenants in which the caller is a guest",
    action: 'Vendor.Resources/tenants/read',
    tenantLevel: true,
    responses: { 200: TenantListSchema },
    handle: async (call) => ok({ value: (await tenantsOf(call)).map(tenantView) }),
  }),
];

async function tenantsOf({ jar, caller }: Call): Promise<Tenant[]> {
  const user = caller?.kind === 'user' ? await jar.directory.user(caller.objectId) : undefined;
  const ids = user ? [user.tenantId, ...(user.guestOf ?? [])] : [caller?.tenantId ?? ''];
  const found = await Promise.all(ids.map((id) => jar.store.cached(tenants, id)));
  return found.flatMap((each) => each?.value ?? []);
}

function tenantView({ id, domain, displayName }: Tenant): Record<string, unknown> {
  return {
    id: `/tenants/${id}`,
    tenantId: id,
    countryCode: COUNTRY,
    displayName,
    domains: [domain],
    tenantCategory: 'Home',
    defaultDomain: domain,
    tenantType: 'AAD',
  };
}

export function subscriptionView(it: Subscription): Record<string, unknown> {
  return {
    id: subscriptionPath(it.subscriptionId),
    authorizationSource: 'RoleBased',
    managedByTenants: [],
    tags: it.tags,
    subscriptionId: it.subscriptionId,
    tenantId: it.tenantId,
    displayName: it.displayName,
    state: it.state,
    subscriptionPolicies: {
      locationPlacementId: 'Public_2014-09-01',
      quotaId: it.quotaId,
      spendingLimit: it.spendingLimit,
    },
  };
}
