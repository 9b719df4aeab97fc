import type { Reader, Tx } from '../../../kernel/store/index.ts';
import { MINUTE_MS } from '../../../kernel/time/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { requireManager, requirePrivilege } from '../catalog/core/access.ts';
import { type Chain, chainById, findChain, fullNameOf, metastoreOf } from '../catalog/core/chain.ts';
import { refuseSystem } from '../catalog/core/operations.ts';
import { columnsOf } from '../catalog/tables/column-store.ts';
import { createTable } from '../catalog/tables/create.ts';
import { nextTime } from '../engine/cron.ts';
import { membersOf, textOf } from '../engine/json.ts';
import { errors } from '../errors.ts';
import { callerIdentity, type PlatformCall, type PlatformJar, workspaceIn } from '../jar.ts';
import { takeCount } from '../limits/take.ts';
import { type Monitor, monitors } from './collections.ts';
import { columnsIn } from './config.ts';
import { dropMonitor, record } from './drop.ts';
import { DRIFT_COLUMNS, PROFILE_COLUMNS } from './metrics.ts';
import { REFRESH_MONITOR, STEP_MONITOR, scheduleId, stepId } from './work.ts';

/** How long a new or changed monitor is pending. */
const SET_UP_MS = MINUTE_MS;

export async function findMonitor(reader: Reader, chain: Chain): Promise<Monitor> {
  const found = (await reader.get(monitors, chain.target.id))?.value;
  if (found) return found;
  throw errors.RESOURCE_DOES_NOT_EXIST({ reason: `The ${chain.target.kind} '${fullNameOf(chain)}' has no monitor.` });
}

async function refuseSecond(tx: Tx, chain: Chain): Promise<void> {
  await tx.lock(`platform.monitor:${chain.target.id}`);
  if (await tx.get(monitors, chain.target.id, 'none'))
    throw errors.RESOURCE_ALREADY_EXISTS({
      reason: `The ${chain.target.kind} '${fullNameOf(chain)}' already has a monitor.`,
    });
}

/** In a transaction: throws if something that a configuration names does not exist. */
async function checkNamed(tx: Tx, call: PlatformCall, chain: Chain, config: JsonMembers): Promise<void> {
  const known = new Set((await columnsOf(tx, chain.target)).map(({ name }) => name.toLowerCase()));
  const missing = columnsIn(config).find((name) => !known.has(name.toLowerCase()));
  if (missing !== undefined)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `The table '${fullNameOf(chain)}' has no column '${missing}'.` });
  const baseline = textOf(config.baseline_table_name);
  if (baseline !== undefined && baseline !== '')
    requirePrivilege(call, await findChain(tx, metastoreOf(chain), 'table', baseline), 'SELECT');
}

export interface NewMonitor {
  readonly config: JsonMembers;
  /** Where metrics are written; a monitor of a schema writes none. */
  readonly outputSchema?: Chain;
}

/** In a transaction: creates a monitor, with the tables for its metrics. */
export async function createMonitor(
  tx: Tx,
  call: PlatformCall,
  chain: Chain,
  { config, outputSchema }: NewMonitor,
): Promise<Monitor> {
  requireManager(call, chain);
  refuseSystem(chain);
  await refuseSecond(tx, chain);
  if (chain.target.kind === 'table') await checkNamed(tx, call, chain, config);
  const { jar } = call;
  await takeCount(tx, jar, { row: 'monitors', scope: [chain.target.metastore] });
  const tables = outputSchema && {
    outputSchema: outputSchema.target.id,
    profileTable: await metricsTable(tx, call, outputSchema, `${chain.target.name}_profile_metrics`),
    driftTable: await metricsTable(tx, call, outputSchema, `${chain.target.name}_drift_metrics`),
  };
  const now = jar.clock.now();
  const monitor: Monitor = {
    object: chain.target.id,
    objectType: chain.target.kind === 'schema' ? 'schema' : 'table',
    metastore: chain.target.metastore,
    workspaceId: workspaceIn(call).id,
    version: 0,
    status: 'PENDING',
    createdAt: now,
    createdBy: callerIdentity(call).principal.id,
    refreshes: 0,
    ...tables,
    config,
  };
  await tx.put(monitors, monitor.object, monitor);
  await tx.schedule(STEP_MONITOR.at(now + SET_UP_MS, { object: monitor.object }, stepId(monitor.object)));
  await planRefresh(tx, jar, monitor);
  await record(tx, jar, 'create', monitor);
  return monitor;
}

/** Reuses a table that an earlier monitor left. */
async function metricsTable(tx: Tx, call: PlatformCall, schema: Chain, name: string): Promise<string> {
  const fullName = `${fullNameOf(schema)}.${name}`;
  const known = await findChain(tx, metastoreOf(schema), 'table', fullName).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'TABLE_DOES_NOT_EXIST') return undefined;
    throw error;
  });
  if (known) return known.target.id;
  const columns = name.endsWith('_profile_metrics') ? PROFILE_COLUMNS : DRIFT_COLUMNS;
  return (await createTable(tx, call, schema, { name, type: 'MANAGED', columns })).target.id;
}

/** Replaces the configuration of a monitor. */
export async function changeMonitor(
  tx: Tx,
  call: PlatformCall,
  chain: Chain,
  { config, outputSchema }: NewMonitor,
): Promise<Monitor> {
  requireManager(call, chain);
  const before = await findMonitor(tx, chain);
  if (chain.target.kind === 'table') await checkNamed(tx, call, chain, config);
  const now = call.jar.clock.now();
  const moved = outputSchema && outputSchema.target.id !== before.outputSchema;
  const after: Monitor = {
    ...before,
    ...(moved && {
      outputSchema: outputSchema.target.id,
      profileTable: await metricsTable(tx, call, outputSchema, `${chain.target.name}_profile_metrics`),
      driftTable: await metricsTable(tx, call, outputSchema, `${chain.target.name}_drift_metrics`),
    }),
    version: before.version + 1,
    status: 'PENDING',
    config,
  };
  await tx.put(monitors, after.object, after);
  await tx.schedule(STEP_MONITOR.at(now + SET_UP_MS, { object: after.object }, stepId(after.object)));
  await planRefresh(tx, call.jar, after);
  await record(tx, call.jar, 'update', after);
  return after;
}

/** Deletes a monitor. The tables with its metrics and its dashboard stay. */
export async function deleteMonitor(tx: Tx, call: PlatformCall, chain: Chain): Promise<void> {
  requireManager(call, chain);
  const monitor = await findMonitor(tx, chain);
  if (monitor.workspaceId !== workspaceIn(call).id)
    throw errors.PERMISSION_DENIED({
      reason: `The monitor was created in the workspace ${monitor.workspaceId} and can only be deleted there.`,
    });
  await dropMonitor(tx, call.jar, monitor.object);
}

/** When a monitor is refreshed next. Returns undefined without a schedule, and if the schedule is paused or over. */
export function dueAfter({ config }: Monitor, after: number): number | undefined {
  const { quartz_cron_expression: expression, timezone_id: zone, pause_status: pause } = membersOf(config.schedule);
  if (pause === 'PAUSED' || typeof expression !== 'string') return undefined;
  return nextTime(expression, textOf(zone) ?? '', after);
}

async function planRefresh(tx: Tx, jar: PlatformJar, monitor: Monitor): Promise<void> {
  const at = dueAfter(monitor, jar.clock.now());
  const id = scheduleId(monitor.object);
  if (at === undefined) await tx.cancel(id);
  else await tx.schedule(REFRESH_MONITOR.at(at, { object: monitor.object }, id));
}

/** The full name of a securable by its id. Returns undefined if it is gone. */
export async function nameById(reader: Reader, id: string | undefined): Promise<string | undefined> {
  const chain = id === undefined ? undefined : await chainById(reader, id);
  return chain && fullNameOf(chain);
}
