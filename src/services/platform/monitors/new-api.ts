import { ok } from '../../../kernel/http/index.ts';
import { eq } from '../../../kernel/store/index.ts';
import { type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import { requireManager, requireReachable, requireSight, sightOf } from '../catalog/core/access.ts';
import { type Chain, chainById } from '../catalog/core/chain.ts';
import { metastoreIn } from '../catalog/core/metastore.ts';
import { membersOf, textOf } from '../engine/json.ts';
import { pageSize, readPage } from '../engine/paging.ts';
import { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';
import { type PlatformCall, routeCode, standingIn } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { type Monitor, type MonitorRefresh, monitorRefreshes, monitors } from './collections.ts';
import { readConfig } from './config.ts';
import { changeMonitor, createMonitor, deleteMonitor, findMonitor, nameById } from './monitors.ts';
import { beginRefresh, cancelRefresh, findRefresh, refreshId } from './refreshes.ts';

/** Monitors of tables and schemas, in the newer form of the API: by the type and id of what they watch. */

const TYPES = ['schema', 'table'] as const;

/** What a monitor watches: a table or schema of the metastore of the workspace. */
async function watched(call: PlatformCall, type: string, id: string): Promise<Chain> {
  const metastore = await metastoreIn(call);
  const chain = await chainById(call.jar.store, id);
  if (!TYPES.some((each) => each === type))
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `The type of an object must be one of ${TYPES.join(', ')}, not '${type.slice(0, 50)}'.`,
    });
  if (!chain || chain.target.kind !== type || chain.target.metastore !== metastore.id)
    throw errors.RESOURCE_DOES_NOT_EXIST({ reason: `There is no ${type} with the id '${id.slice(0, 100)}'.` });
  requireSight(call, chain);
  requireReachable(call, chain);
  return chain;
}

async function view({ jar }: PlatformCall, monitor: Monitor): Promise<JsonMembers> {
  const head = { object_type: monitor.objectType, object_id: monitor.object };
  if (monitor.objectType === 'schema') return { ...head, anomaly_detection_config: monitor.config };
  const profiling = omitAbsent({
    ...monitor.config,
    output_schema_id: monitor.outputSchema,
    status: `DATA_PROFILING_STATUS_${monitor.status}`,
    monitor_version: monitor.version,
    monitored_table_name: await nameById(jar.store, monitor.object),
    profile_metrics_table_name: await nameById(jar.store, monitor.profileTable),
    drift_metrics_table_name: await nameById(jar.store, monitor.driftTable),
    dashboard_id: monitor.dashboard,
  });
  return { ...head, data_profiling_config: profiling };
}

const refreshView = (
  { object, id, state, trigger, startedAt, endedAt, message }: MonitorRefresh,
  type: string,
): JsonMembers =>
  omitAbsent({
    object_type: type,
    object_id: object,
    refresh_id: id,
    state: `MONITOR_REFRESH_STATE_${state}`,
    trigger: `MONITOR_REFRESH_TRIGGER_${trigger}`,
    start_time_ms: startedAt,
    end_time_ms: endedAt,
    message,
  });

interface Said {
  readonly config: JsonMembers;
  readonly outputSchema?: Chain;
}

/** What a body says of a monitor: profiles are of tables, anomalies of schemas. */
async function readSaid(call: PlatformCall, chain: Chain, body: unknown): Promise<Said> {
  const sent = membersOf(body as JsonMembers | undefined);
  if (chain.target.kind === 'schema') {
    if (sent.data_profiling_config !== undefined)
      throw errors.INVALID_PARAMETER_VALUE({ reason: 'data_profiling_config is of monitors of tables.' });
    return { config: membersOf(sent.anomaly_detection_config) };
  }
  if (sent.data_profiling_config === undefined)
    throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'data_profiling_config' });
  const config = readConfig(sent.data_profiling_config, 'data_profiling_config.');
  const id = textOf(membersOf(sent.data_profiling_config).output_schema_id);
  if (id === undefined)
    throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'data_profiling_config.output_schema_id' });
  return { config, outputSchema: await watched(call, 'schema', id) };
}

type OfObject = PlatformCall & { readonly params: { readonly object_type: string; readonly object_id: string } };

const ofCall = (call: OfObject): Promise<Chain> => watched(call, call.params.object_type, call.params.object_id);

async function create(call: PlatformCall): Promise<JsonMembers> {
  const sent = new Sent(call.body);
  const chain = await watched(call, sent.need('object_type'), sent.need('object_id'));
  requireManager(call, chain);
  const said = await readSaid(call, chain, call.body);
  const monitor = await call.jar.store.transact(async (tx) => createMonitor(tx, call, chain, said));
  return view(call, monitor);
}

async function change(call: OfObject): Promise<JsonMembers> {
  const chain = await ofCall(call);
  requireManager(call, chain);
  const said = await readSaid(call, chain, call.body);
  return view(call, await call.jar.store.transact((tx) => changeMonitor(tx, call, chain, said)));
}

async function list(call: PlatformCall): Promise<JsonMembers> {
  const { id } = await metastoreIn(call);
  const { items, next } = await readPage(call, {
    collection: monitors,
    query: { filter: eq('metastore', id), order: [{ field: 'createdAt' }] },
    size: pageSize(call.query),
  });
  const views: JsonMembers[] = [];
  for (const { value } of items) {
    const chain = await chainById(call.jar.store, value.object);
    // Of what the caller is not shown, monitors are not shown either.
    if (chain && sightOf(standingIn(call), chain) === 'full') views.push(await view(call, value));
  }
  return { monitors: views, ...(next !== undefined && { next_page_token: next }) };
}

async function listRefreshes(call: OfObject): Promise<JsonMembers> {
  const { object, objectType } = await findMonitor(call.jar.store, await ofCall(call));
  const { items, next } = await readPage(call, {
    collection: monitorRefreshes,
    query: { prefix: `${object}/`, order: [{ field: 'key', descending: true }] },
    size: pageSize(call.query),
  });
  const refreshes = items.map(({ value }) => refreshView(value, objectType));
  return { refreshes, ...(next !== undefined && { next_page_token: next }) };
}

const PATH = '/monitors';
const ONE = `${PATH}/{object_type}/{object_id}`;
const head = { versions: ['data-quality/v1'] } as const;
const PARAMS = ['object_type', 'object_id'] as const;

export const NEW_MONITOR_OPERATIONS: readonly Operation[] = [
  {
    ...head,
    method: 'POST',
    path: PATH,
    operation: 'dataQuality_createMonitor',
    summary: 'Data quality: create a monitor',
    code: routeCode([], { handle: async (call) => ok(await create(call)) }),
  },
  {
    ...head,
    method: 'GET',
    path: PATH,
    operation: 'dataQuality_listMonitor',
    summary: 'Data quality: the monitors of the metastore',
    code: routeCode([], { handle: async (call) => ok(await list(call)) }),
  },
  {
    ...head,
    method: 'GET',
    path: ONE,
    operation: 'dataQuality_getMonitor',
    summary: 'Data quality: read a monitor',
    code: routeCode(PARAMS, {
      handle: async (call) => ok(await view(call, await findMonitor(call.jar.store, await ofCall(call)))),
    }),
  },
  {
    ...head,
    method: 'PATCH',
    path: ONE,
    operation: 'dataQuality_updateMonitor',
    summary: 'Data quality: change a monitor',
    code: routeCode(PARAMS, { handle: async (call) => ok(await change(call)) }),
  },
  {
    ...head,
    method: 'DELETE',
    path: ONE,
    operation: 'dataQuality_deleteMonitor',
    summary: 'Data quality: delete a monitor',
    code: routeCode(PARAMS, {
      async handle(call) {
        const chain = await ofCall(call);
        await call.jar.store.transact((tx) => deleteMonitor(tx, call, chain));
        return ok({});
      },
    }),
  },
  {
    ...head,
    method: 'POST',
    path: `${ONE}/refreshes`,
    operation: 'dataQuality_createRefresh',
    summary: 'Data quality: look now',
    code: routeCode(PARAMS, {
      async handle(call) {
        const chain = await ofCall(call);
        requireManager(call, chain);
        const refresh = await call.jar.store.transact(async (tx) =>
          beginRefresh(tx, call.jar, await findMonitor(tx, chain), 'MANUAL'),
        );
        return ok(refreshView(refresh, call.params.object_type));
      },
    }),
  },
  {
    ...head,
    method: 'GET',
    path: `${ONE}/refreshes`,
    operation: 'dataQuality_listRefresh',
    summary: 'Data quality: the refreshes of a monitor',
    code: routeCode(PARAMS, { handle: async (call) => ok(await listRefreshes(call)) }),
  },
  {
    ...head,
    method: 'GET',
    path: `${ONE}/refreshes/{refresh_id}`,
    operation: 'dataQuality_getRefresh',
    summary: 'Data quality: read a refresh',
    code: routeCode([...PARAMS, 'refresh_id'], {
      async handle(call) {
        const monitor = await findMonitor(call.jar.store, await ofCall(call));
        const refresh = await findRefresh(call.jar.store, monitor, refreshId(call.params.refresh_id));
        return ok(refreshView(refresh, monitor.objectType));
      },
    }),
  },
  {
    ...head,
    method: 'POST',
    path: `${ONE}/refreshes/{refresh_id}/cancel`,
    operation: 'dataQuality_cancelRefresh',
    summary: 'Data quality: cancel a refresh',
    code: routeCode([...PARAMS, 'refresh_id'], {
      async handle(call) {
        const chain = await ofCall(call);
        requireManager(call, chain);
        const refresh = await call.jar.store.transact(async (tx) =>
          cancelRefresh(
            tx,
            call.jar,
            await findRefresh(tx, await findMonitor(tx, chain), refreshId(call.params.refresh_id)),
          ),
        );
        return ok({ refresh: refreshView(refresh, call.params.object_type) });
      },
    }),
  },
];
