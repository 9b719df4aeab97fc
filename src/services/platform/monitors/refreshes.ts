import type { Reader, Tx, WorkItem } from '../../../kernel/store/index.ts';
import { MINUTE_MS, SECOND_MS } from '../../../kernel/time/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import { byId } from '../catalog/core/chain.ts';
import { replaceFiles } from '../catalog/tables/data/log.ts';
import { discardFiles, stageRows } from '../catalog/tables/data/rows.ts';
import { errors } from '../errors.ts';
import type { PlatformJar } from '../jar.ts';
import { type Monitor, type MonitorRefresh, monitorRefreshes, monitors, refreshKey } from './collections.ts';
import { PROFILE_COLUMNS, profileOf } from './metrics.ts';
import { dueAfter } from './monitors.ts';
import { REFRESH_MONITOR, STEP_MONITOR, scheduleId, stepId } from './work.ts';

/** How long a refresh is pending, and how long it runs. */
const WAIT_MS = 10 * SECOND_MS;
const LOOK_MS = 2 * MINUTE_MS;

/** Refreshes stored per monitor. */
const KEPT = 100;

export const isOver = ({ state }: MonitorRefresh): boolean => state !== 'PENDING' && state !== 'RUNNING';

/** The refresh id in a path. */
export function refreshId(sent: string): number {
  if (/^\d{1,12}$/.test(sent)) return Number(sent);
  throw errors.INVALID_PARAMETER_VALUE({ reason: `'${sent.slice(0, 50)}' is not the id of a refresh.` });
}

export async function findRefresh(reader: Reader, { object }: Monitor, id: number): Promise<MonitorRefresh> {
  const found = (await reader.get(monitorRefreshes, refreshKey(object, id)))?.value;
  if (found) return found;
  throw errors.RESOURCE_DOES_NOT_EXIST({ reason: `The monitor has no refresh ${id}.` });
}

/** Called in a transaction that has locked the monitor. */
export async function beginRefresh(
  tx: Tx,
  jar: PlatformJar,
  monitor: Monitor,
  trigger: MonitorRefresh['trigger'],
): Promise<MonitorRefresh> {
  const { object } = monitor;
  const id = monitor.refreshes + 1;
  const now = jar.clock.now();
  await tx.put(monitors, object, { ...monitor, refreshes: id });
  const refresh: MonitorRefresh = { object, id, state: 'PENDING', trigger, startedAt: now };
  await tx.put(monitorRefreshes, refreshKey(object, id), refresh);
  if (id > KEPT) await tx.delete(monitorRefreshes, refreshKey(object, id - KEPT));
  await tx.schedule(STEP_MONITOR.at(now + WAIT_MS, { object, refresh: id }, stepId(object, id)));
  return refresh;
}

export async function cancelRefresh(tx: Tx, jar: PlatformJar, refresh: MonitorRefresh): Promise<MonitorRefresh> {
  if (isOver(refresh))
    throw errors.INVALID_STATE({ reason: `The refresh ${refresh.id} has ended: it is ${refresh.state}.` });
  const after: MonitorRefresh = { ...refresh, state: 'CANCELED', endedAt: jar.clock.now() };
  await tx.put(monitorRefreshes, refreshKey(refresh.object, refresh.id), after);
  await tx.cancel(stepId(refresh.object, refresh.id));
  return after;
}

/** Due work: activates a monitor; starts a pending refresh, and finishes a running one with its metrics. */
export const stepMonitor = workHandler(STEP_MONITOR, async (item, jar: PlatformJar) => {
  const { object, refresh: id } = item.payload;
  if (id === undefined) {
    await jar.store.transact(async (tx) => {
      await tx.complete(item);
      const monitor = (await tx.get(monitors, object))?.value;
      if (monitor?.status === 'PENDING') await tx.put(monitors, object, { ...monitor, status: 'ACTIVE' });
    });
    return;
  }
  const refresh = (await jar.store.get(monitorRefreshes, refreshKey(object, id)))?.value;
  if (refresh?.state === 'RUNNING') return endRefresh(jar, item, refresh);
  await jar.store.transact(async (tx) => {
    const now = (await tx.get(monitorRefreshes, refreshKey(object, id)))?.value;
    if (now?.state !== 'PENDING') return tx.complete(item);
    await tx.put(monitorRefreshes, refreshKey(object, id), { ...now, state: 'RUNNING' });
    await tx.schedule(STEP_MONITOR.at(jar.clock.now() + LOOK_MS, item.payload, stepId(object, id)));
  });
});

/** The metrics are written in the transaction that ends the refresh. */
async function endRefresh(jar: PlatformJar, item: WorkItem<unknown>, { object, id }: MonitorRefresh): Promise<void> {
  const { store, clock } = jar;
  const monitor = (await store.get(monitors, object))?.value;
  const table = monitor?.objectType === 'table' ? await byId(store, object) : undefined;
  const output = monitor?.profileTable === undefined ? undefined : await byId(store, monitor.profileTable);
  const rows = monitor && table ? await profileOf(store, table, { now: clock.now(), version: monitor.version }) : [];
  const files = output ? await stageRows(jar, PROFILE_COLUMNS, rows) : [];
  try {
    await store.transact(async (tx) => {
      await tx.complete(item);
      const refresh = (await tx.get(monitorRefreshes, refreshKey(object, id)))?.value;
      if (refresh?.state !== 'RUNNING') throw new Ended();
      const isThere = monitor?.objectType === 'schema' || output !== undefined;
      const ended: MonitorRefresh = isThere
        ? { ...refresh, state: 'SUCCESS', endedAt: clock.now() }
        : {
            ...refresh,
            state: 'FAILED',
            endedAt: clock.now(),
            message: 'The table for the metrics no longer exists.',
          };
      await tx.put(monitorRefreshes, refreshKey(object, id), ended);
      if (output && files.length > 0)
        await replaceFiles(tx, jar, output, { operation: 'WRITE', by: monitor?.createdBy ?? '', add: files });
    });
  } catch (error) {
    await discardFiles(jar, files);
    if (!(error instanceof Ended)) throw error;
    await store.transact((tx) => tx.complete(item));
  }
}

/** The refresh was cancelled while it was running. */
class Ended extends Error {}

/** Due work: a schedule fires. Firings missed while the jar was off are coalesced into one. */
export const refreshOnTime = workHandler(REFRESH_MONITOR, async (item, jar: PlatformJar) => {
  const { object } = item.payload;
  await jar.store.transact(async (tx) => {
    const monitor = (await tx.get(monitors, object))?.value;
    const next = monitor && dueAfter(monitor, jar.clock.now());
    if (next === undefined) await tx.complete(item);
    else await tx.schedule(REFRESH_MONITOR.at(next, item.payload, scheduleId(object)));
    if (monitor) await beginRefresh(tx, jar, monitor, 'SCHEDULE');
  });
});

export const MONITOR_HANDLERS = [stepMonitor, refreshOnTime];
