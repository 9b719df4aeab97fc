import { ok } from '../../../kernel/http/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';
import { accountIn, type PlatformCall, routeCode } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { type MarketDashboard, marketDashboards } from './collections.ts';
import { notFound, ofProviders } from './wire.ts';

/** The dashboard about the usage of an account's listings: a record with a version, without data. */

const LATEST = 1;

async function create(call: PlatformCall): Promise<MarketDashboard> {
  const account = accountIn(call).id;
  return call.jar.store.transact(async (tx) => {
    await tx.lock(`platform.market-dashboard:${account}`);
    if (await tx.get(marketDashboards, account))
      throw errors.RESOURCE_ALREADY_EXISTS({ reason: 'The analytics dashboard exists.' });
    const dashboard = { id: uuid(), version: LATEST };
    await tx.put(marketDashboards, account, dashboard);
    return dashboard;
  });
}

const view = ({ id, version }: MarketDashboard) => ({ id, dashboard_id: id, version });

export const DASHBOARD_OPERATIONS: readonly Operation[] = [
  ofProviders('/analytics_dashboard', {
    method: 'POST',
    operation: 'providerProviderAnalyticsDashboards_create',
    summary: 'Marketplace: create the analytics dashboard',
    code: routeCode([], { handle: async (call) => ok({ id: (await create(call)).id }) }),
  }),
  ofProviders('/analytics_dashboard', {
    method: 'GET',
    operation: 'providerProviderAnalyticsDashboards_get',
    summary: 'Marketplace: the analytics dashboard',
    code: routeCode([], {
      async handle(call) {
        const found = (await call.jar.store.get(marketDashboards, accountIn(call).id))?.value;
        if (!found) throw notFound('Analytics dashboard of the account', accountIn(call).id);
        return ok(view(found));
      },
    }),
  }),
  ofProviders('/analytics_dashboard/latest', {
    method: 'GET',
    operation: 'providerProviderAnalyticsDashboards_getLatestVersion',
    summary: 'Marketplace: the latest version of the analytics dashboard',
    code: routeCode([], { handle: async () => ok({ version: LATEST }) }),
  }),
  ofProviders('/analytics_dashboard/{id}', {
    method: 'PUT',
    operation: 'providerProviderAnalyticsDashboards_update',
    summary: 'Marketplace: change the version of the analytics dashboard',
    code: routeCode(['id'], {
      handle: (call) =>
        call.jar.store.transact(async (tx) => {
          const account = accountIn(call).id;
          const before = (await tx.get(marketDashboards, account))?.value;
          if (before?.id !== call.params.id) throw notFound('Analytics dashboard', call.params.id);
          const after = { ...before, version: new Sent(call.body).whole('version') ?? before.version };
          await tx.put(marketDashboards, account, after);
          return ok(view(after));
        }),
    }),
  }),
];
