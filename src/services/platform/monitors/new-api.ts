import { ok } from '../../../kernel/http/index.ts';
import { eq, type Tx } from '../../../kernel/store/index.ts';
import { type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import { requireReachable, requireVisible, visibilityOf } from '../catalog/core/access.ts';
import { type Chain, chainById } from '../catalog/core/chain.ts';
import { metastoreIn } from '../catalog/core/metastore.ts';
import type { Securable } from '../catalog/core/securables.ts';
import type { FieldRules } from '../engine/fields.ts';
import { membersOf, textOf } from '../engine/json.ts';
import { checkMask, isWhole, maskedFields, readMask, withMaskedParts } from '../engine/mask.ts';
import { pageSize, readPage } from '../engine/paging.ts';
import { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';
import { callerIdentity, type PlatformCall, routeCode } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { type Monitor, type MonitorRefresh, monitorRefreshes, monitors } from './collections.ts';
import { PROFILE_NAMES, readConfig } from './config.ts';
import { findVisibleObject, lockObject, withLockedObject } from './monitored-object.ts';
import { changeMonitor, createMonitor, deleteMonitor, findMonitor, nameById } from './monitors.ts';
import { NEW_FIELDS, toNewNames, toOldNames } from './new-names.ts';
import { beginRefresh, cancelRefresh, findRefresh, refreshId } from './refreshes.ts';

/** The newer API for monitors of tables and schemas, by type and id of the monitored object. */

async function view({ jar }: PlatformCall, monitor: Monitor): Promise<JsonMembers> {
  const head = { object_type: monitor.objectType, object_id: monitor.object };
  if (monitor.objectType === 'schema') return { ...head, anomaly_detection_config: monitor.config };
  const profiling = omitAbsent({
    ...toNewNames(monitor.config),
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

/** The monitor in a body: profiling is for tables, anomaly detection for schemas. */
async function readSaid(tx: Tx, call: PlatformCall, chain: Chain, metastore: Securable, body: unknown): Promise<Said> {
  const sent = membersOf(body as JsonMembers | undefined);
  if (chain.target.kind === 'schema') {
    if (sent.data_profiling_config !== undefined)
      throw errors.INVALID_PARAMETER_VALUE({
        reason: 'data_profiling_config is only accepted for monitors of tables.',
      });
    return { config: membersOf(sent.anomaly_detection_config) };
  }
  if (sent.data_profiling_config === undefined)
    throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'data_profiling_config' });
  const config = toOldNames(readConfig(sent.data_profiling_config, 'data_profiling_config.', NEW_FIELDS));
  const id = textOf(membersOf(sent.data_profiling_config).output_schema_id);
  if (id === undefined)
    throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'data_profiling_config.output_schema_id' });
  const outputSchema = await lockObject(tx, metastore, 'schema', id);
  requireVisible(call, outputSchema);
  requireReachable(call, outputSchema, { writes: true });
  return { config, outputSchema };
}

type OfObject = PlatformCall & { readonly params: { readonly object_type: string; readonly object_id: string } };

const ofCall = (call: OfObject): Promise<Chain> =>
  findVisibleObject(call, call.params.object_type, call.params.object_id);

async function create(call: PlatformCall): Promise<JsonMembers> {
  const sent = new Sent(call.body);
  const named = { object_type: sent.need('object_type'), object_id: sent.need('object_id') };
  const monitor = await withLockedObject(call, named, async (tx, chain, metastore) =>
    createMonitor(tx, call, chain, await readSaid(tx, call, chain, metastore, call.body)),
  );
  return view(call, monitor);
}

/** Without a mask the body replaces the configuration. */
async function change(call: OfObject): Promise<JsonMembers> {
  const monitor = await withLockedObject(call, call.params, async (tx, chain, metastore) => {
    const mask = readMask(call.query.update_mask);
    const body = mask ? maskedBody(await findMonitor(tx, chain), call.body ?? {}, mask) : call.body;
    return changeMonitor(tx, call, chain, await readSaid(tx, call, chain, metastore, body));
  });
  return view(call, monitor);
}

const MASKED: FieldRules = {
  data_profiling_config: { type: 'object', members: { ...NEW_FIELDS, output_schema_id: { type: 'string' } } },
  anomaly_detection_config: { type: 'object' },
};

/**
 * The body merged with the fields that the mask leaves out. A monitor has one kind of profile: one in the mask replaces the previous kind.
 */
function maskedBody(monitor: Monitor, sent: unknown, mask: readonly string[]): unknown {
  checkMask(mask, MASKED, (name) => name === 'object_type' || name === 'object_id');
  if (isWhole(mask)) return sent;
  const { objectType, outputSchema } = monitor;
  const config = objectType === 'schema' ? monitor.config : toNewNames(monitor.config);
  const field = objectType === 'schema' ? 'anomaly_detection_config' : 'data_profiling_config';
  if (!maskedFields(mask).includes(field)) return { [field]: { ...config, output_schema_id: outputSchema } };
  const isProfiled = PROFILE_NAMES.some((name) => mask.some((path) => path.startsWith(`${field}.${name}`)));
  const kept = Object.entries(config).filter(([name]) => !isProfiled || !PROFILE_NAMES.includes(name));
  const before = { [field]: { ...Object.fromEntries(kept), output_schema_id: outputSchema } };
  return withMaskedParts(before, sent, mask);
}

/** Monitors of objects that the caller may see. Pages without any are skipped, since clients stop at an empty page. */
async function list(call: PlatformCall): Promise<JsonMembers> {
  const { id } = await metastoreIn(call);
  const { jar, facts, route, query } = call;
  const views: JsonMembers[] = [];
  let token = query.page_token;
  for (;;) {
    const { items, next } = await readPage(
      { jar, facts, route, query: { ...query, page_token: token } },
      {
        collection: monitors,
        query: { filter: eq('metastore', id), order: [{ field: 'createdAt' }] },
        size: pageSize(query),
      },
    );
    for (const { value } of items) {
      const chain = await chainById(call.jar.store, value.object);
      if (chain && visibilityOf(callerIdentity(call), chain) === 'full') views.push(await view(call, value));
    }
    if (next === undefined || views.length > 0)
      return { monitors: views, ...(next !== undefined && { next_page_token: next }) };
    token = next;
  }
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
    summary: 'Data quality: list the monitors of the metastore',
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
        await withLockedObject(call, call.params, (tx, chain) => deleteMonitor(tx, call, chain));
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
        const refresh = await withLockedObject(call, call.params, async (tx, chain) =>
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
    summary: 'Data quality: list the refreshes of a monitor',
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
        const refresh = await withLockedObject(call, call.params, async (tx, chain) =>
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
