import { ok } from '../../../kernel/http/index.ts';
import { pagesOf } from '../../../kernel/store/index.ts';
import { type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import { requireManager, requireReachable } from '../catalog/core/access.ts';
import { type Chain, findChain } from '../catalog/core/chain.ts';
import { metastoreIn, metastoreNow } from '../catalog/core/metastore.ts';
import { CATALOG_VERSIONS, readSecurable } from '../catalog/core/wire.ts';
import { TABLES } from '../catalog/tables/kind.ts';
import { createObject } from '../engine/operations.ts';
import { Sent } from '../engine/sent.ts';
import { type PlatformCall, routeCode } from '../jar.ts';
import { DASHBOARDS } from '../lakeview/dashboards.ts';
import type { Operation } from '../operation.ts';
import { type Monitor, type MonitorRefresh, monitorRefreshes, monitors } from './collections.ts';
import { readConfig } from './config.ts';
import { changeMonitor, createMonitor, deleteMonitor, findMonitor, nameById } from './monitors.ts';
import { beginRefresh, cancelRefresh, findRefresh, refreshId } from './refreshes.ts';

/** The older API for monitors of tables, on paths below the table. */

async function view(call: PlatformCall, chain: Chain, monitor: Monitor): Promise<JsonMembers> {
  const { store } = call.jar;
  return omitAbsent({
    ...monitor.config,
    table_name: [...chain.above.slice(0, -1).toReversed(), chain.target].map(({ name }) => name).join('.'),
    status: `MONITOR_STATUS_${monitor.status}`,
    monitor_version: monitor.version,
    output_schema_name: await nameById(store, monitor.outputSchema),
    // The tables may have been dropped.
    profile_metrics_table_name: (await nameById(store, monitor.profileTable)) ?? '',
    drift_metrics_table_name: (await nameById(store, monitor.driftTable)) ?? '',
    dashboard_id: monitor.dashboard,
  });
}

const refreshView = ({ id, state, trigger, startedAt, endedAt, message }: MonitorRefresh): JsonMembers =>
  omitAbsent({
    refresh_id: id,
    state,
    trigger,
    start_time_ms: startedAt,
    end_time_ms: endedAt,
    message,
  });

/** Runs an action on the monitor of a table, in a transaction that has found the table. */
async function change<T>(
  call: PlatformCall,
  name: string,
  next: (chain: Chain, tx: Parameters<Parameters<PlatformCall['jar']['store']['transact']>[0]>[0]) => Promise<T>,
): Promise<{ readonly chain: Chain; readonly result: T }> {
  const metastore = await metastoreIn(call);
  return call.jar.store.transact(async (tx) => {
    const chain = await findChain(tx, await metastoreNow(tx, metastore), 'table', name, { lock: 'share' });
    requireManager(call, chain);
    requireReachable(call, chain, { writes: true });
    return { chain, result: await next(chain, tx) };
  });
}

type ChangeTx = Parameters<Parameters<typeof change>[2]>[1];

/** The schema for metrics that a body names. */
async function outputOf(tx: ChangeTx, call: PlatformCall, chain: Chain): Promise<Chain> {
  const name = new Sent(call.body).need('output_schema_name');
  return findChain(tx, chain.above.at(-1) ?? chain.target, 'schema', name, { lock: 'share' });
}

async function create(call: PlatformCall, name: string): Promise<JsonMembers> {
  const { chain, result } = await change(call, name, async (table, tx) => {
    new Sent(call.body).need('assets_dir');
    const outputSchema = await outputOf(tx, call, table);
    return createMonitor(tx, call, table, { config: readConfig(call.body), outputSchema });
  });
  return view(call, chain, result);
}

async function replace(call: PlatformCall, name: string): Promise<JsonMembers> {
  const { chain, result } = await change(call, name, async (table, tx) => {
    const outputSchema = await outputOf(tx, call, table);
    const { assets_dir: assets } = (await findMonitor(tx, table)).config;
    const config = { ...(assets !== undefined && { assets_dir: assets }), ...readConfig(call.body) };
    return changeMonitor(tx, call, table, { config, outputSchema });
  });
  return view(call, chain, result);
}

async function seen(call: PlatformCall, name: string): Promise<{ readonly chain: Chain; readonly monitor: Monitor }> {
  const chain = await readSecurable(call, TABLES, name);
  return { chain, monitor: await findMonitor(call.jar.store, chain) };
}

async function listRefreshes(call: PlatformCall, name: string): Promise<readonly JsonMembers[]> {
  const { monitor } = await seen(call, name);
  const found: JsonMembers[] = [];
  const query = { prefix: `${monitor.object}/`, order: [{ field: 'key', descending: true }] } as const;
  for await (const page of pagesOf(call.jar.store, monitorRefreshes, query))
    found.push(...page.map(({ value }) => refreshView(value)));
  return found;
}

/** Creates a dashboard with the metrics, in the folder of the monitor. */
async function makeDashboard(call: PlatformCall, name: string): Promise<JsonMembers> {
  const { monitor, chain } = await seen(call, name);
  requireManager(call, chain);
  const warehouse = new Sent(call.body).text('warehouse_id');
  const table = await nameById(call.jar.store, monitor.profileTable);
  const serialized = {
    pages: [{ name: 'profile', displayName: 'Profile' }],
    datasets: [{ name: 'figures', displayName: 'Figures', query: `SELECT * FROM ${table}` }],
  };
  const folder = String(monitor.config.assets_dir ?? '/Shared');
  const dashboard = await createObject(call, DASHBOARDS, {
    display_name: `${chain.target.name} monitor ${monitor.version} ${call.jar.clock.now()}`,
    parent_path: folder,
    ...(warehouse !== undefined && { warehouse_id: warehouse }),
    serialized_dashboard: JSON.stringify(serialized),
  });
  await call.jar.store.transact(async (tx) => {
    const now = (await tx.get(monitors, monitor.object))?.value;
    if (now) await tx.put(monitors, monitor.object, { ...now, dashboard: dashboard.id });
  });
  return { dashboard_id: dashboard.id, parent_folder: folder };
}

const PATH = '/unity-catalog/tables/{full_name}/monitor';
const REFRESHES = `${PATH}/refreshes`;
const head = { versions: CATALOG_VERSIONS } as const;

export const OLD_MONITOR_OPERATIONS: readonly Operation[] = [
  {
    ...head,
    method: 'POST',
    path: PATH,
    operation: 'qualityMonitors_create',
    summary: 'Monitors: create the monitor of a table',
    code: routeCode(['full_name'], { handle: async (call) => ok(await create(call, call.params.full_name)) }),
  },
  {
    ...head,
    method: 'GET',
    path: PATH,
    operation: 'qualityMonitors_get',
    summary: 'Monitors: read the monitor of a table',
    code: routeCode(['full_name'], {
      async handle(call) {
        const { chain, monitor } = await seen(call, call.params.full_name);
        return ok(await view(call, chain, monitor));
      },
    }),
  },
  {
    ...head,
    method: 'PUT',
    path: PATH,
    operation: 'qualityMonitors_update',
    summary: 'Monitors: replace the monitor of a table',
    code: routeCode(['full_name'], { handle: async (call) => ok(await replace(call, call.params.full_name)) }),
  },
  {
    ...head,
    method: 'DELETE',
    path: PATH,
    operation: 'qualityMonitors_delete',
    summary: 'Monitors: delete the monitor of a table; its metrics stay',
    code: routeCode(['full_name'], {
      async handle(call) {
        await change(call, call.params.full_name, (chain, tx) => deleteMonitor(tx, call, chain));
        return ok({});
      },
    }),
  },
  {
    ...head,
    method: 'POST',
    path: REFRESHES,
    operation: 'qualityMonitors_runRefresh',
    summary: 'Monitors: refresh the monitor of a table now',
    code: routeCode(['full_name'], {
      async handle(call) {
        const { result } = await change(call, call.params.full_name, async (chain, tx) =>
          beginRefresh(tx, call.jar, await findMonitor(tx, chain), 'MANUAL'),
        );
        return ok(refreshView(result));
      },
    }),
  },
  {
    ...head,
    method: 'GET',
    path: REFRESHES,
    operation: 'qualityMonitors_listRefreshes',
    summary: 'Monitors: list the refreshes of a table',
    code: routeCode(['full_name'], {
      handle: async (call) => ok({ refreshes: await listRefreshes(call, call.params.full_name) }),
    }),
  },
  {
    ...head,
    method: 'GET',
    path: `${REFRESHES}/{refresh_id}`,
    operation: 'qualityMonitors_getRefresh',
    summary: 'Monitors: read one refresh',
    code: routeCode(['full_name', 'refresh_id'], {
      async handle(call) {
        const { monitor } = await seen(call, call.params.full_name);
        return ok(refreshView(await findRefresh(call.jar.store, monitor, refreshId(call.params.refresh_id))));
      },
    }),
  },
  {
    ...head,
    method: 'POST',
    path: `${REFRESHES}/{refresh_id}/cancel`,
    operation: 'qualityMonitors_cancelRefresh',
    summary: 'Monitors: cancel a refresh',
    code: routeCode(['full_name', 'refresh_id'], {
      async handle(call) {
        await change(call, call.params.full_name, async (chain, tx) => {
          const refresh = await findRefresh(tx, await findMonitor(tx, chain), refreshId(call.params.refresh_id));
          return cancelRefresh(tx, call.jar, refresh);
        });
        return ok({});
      },
    }),
  },
  {
    ...head,
    method: 'POST',
    path: '/quality-monitoring/tables/{full_name}/monitor/dashboard',
    operation: 'qualityMonitors_regenerateDashboard',
    summary: 'Monitors: recreate the dashboard of a table',
    code: routeCode(['full_name'], { handle: async (call) => ok(await makeDashboard(call, call.params.full_name)) }),
  },
];
