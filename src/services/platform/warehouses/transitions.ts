import { allOf, eq, type Tx } from '../../../kernel/store/index.ts';
import { MINUTE_MS } from '../../../kernel/time/index.ts';
import { machineMs } from '../compute/timing.ts';
import { errors } from '../errors.ts';
import type { PlatformJar } from '../jar.ts';
import { freeCount, takeCount } from '../limits/take.ts';
import { defaultWarehouses, type Warehouse, warehouseKey, warehouses } from './collections.ts';
import { UNITS_PER_HOUR, type WarehouseSize } from './sizes.ts';
import { wakeStatements } from './statements/wake.ts';
import { IDLE_WAREHOUSE, STEP_WAREHOUSE } from './work.ts';

/** State transitions of a warehouse, each within the caller's transaction. A transition that takes time schedules its end. */

export type WarehouseJar = Pick<PlatformJar, 'clock' | 'config' | 'limits'>;

export const keyOf = ({ workspaceId, id }: Pick<Warehouse, 'workspaceId' | 'id'>): string =>
  warehouseKey(workspaceId, id);

const schedule = (tx: Tx, key: string, dueAt: number): Promise<string> =>
  tx.schedule(STEP_WAREHOUSE.at(dueAt, { key }, `${STEP_WAREHOUSE.kind}:${key}`));

/** For the audit trail and the change feed. */
export const recordWarehouse = (
  tx: Tx,
  { clock }: Pick<PlatformJar, 'clock'>,
  kind: string,
  { workspaceId, id, state }: Warehouse,
): Promise<void> =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/${workspaceId}/warehouses/${id}`,
    outcome: 'Succeeded',
    at: clock.now(),
    data: { kind: 'warehouses', id, state },
  });

const isServerless = ({ settings }: Pick<Warehouse, 'settings'>): boolean =>
  settings.enable_serverless_compute === true;

/** Units per hour of the clusters that a warehouse starts with. */
export const unitsOf = ({ settings }: Pick<Warehouse, 'settings'>): number =>
  UNITS_PER_HOUR[settings.cluster_size as WarehouseSize] * Number(settings.min_num_clusters);

/** Takes the units of a serverless warehouse from the quota, or throws if the quota is exceeded. Units that it already has are kept. */
async function withUnits(tx: Tx, jar: WarehouseJar, warehouse: Warehouse): Promise<Warehouse> {
  const wanted = isServerless(warehouse) ? unitsOf(warehouse) : 0;
  if (wanted === (warehouse.units ?? 0)) return warehouse;
  const freed = await withoutUnits(tx, jar, warehouse);
  if (wanted === 0) return freed;
  await takeCount(tx, jar, { row: 'serverless', scope: [warehouse.accountId, warehouse.region], count: wanted });
  return { ...freed, units: wanted };
}

async function withoutUnits(tx: Tx, jar: WarehouseJar, { units, ...warehouse }: Warehouse): Promise<Warehouse> {
  if (units !== undefined) {
    const scope = [warehouse.accountId, warehouse.region];
    await freeCount(tx, jar, { row: 'serverless', scope, count: units });
  }
  return warehouse;
}

/** Starts a warehouse, or restarts it with changed settings. */
export async function beginStart(tx: Tx, jar: WarehouseJar, warehouse: Warehouse): Promise<Warehouse> {
  const now = jar.clock.now();
  const started = await withUnits(tx, jar, { ...warehouse, state: 'STARTING', lastActivityAt: now });
  const key = keyOf(warehouse);
  await tx.put(warehouses, key, started);
  await schedule(tx, key, now + machineMs(jar, isServerless(started) ? 'warehouseStartServerless' : 'warehouseStart'));
  await recordWarehouse(tx, jar, 'start', started);
  return started;
}

/** Does nothing if the warehouse is running or starting. */
export const startWarehouse = async (tx: Tx, jar: WarehouseJar, warehouse: Warehouse): Promise<Warehouse> =>
  warehouse.state === 'STOPPED' || warehouse.state === 'STOPPING' ? beginStart(tx, jar, warehouse) : warehouse;

export async function stopWarehouse(tx: Tx, jar: WarehouseJar, warehouse: Warehouse): Promise<Warehouse> {
  if (warehouse.state !== 'RUNNING' && warehouse.state !== 'STARTING') return warehouse;
  const key = keyOf(warehouse);
  const stopping: Warehouse = { ...warehouse, state: 'STOPPING', busy: 0 };
  await tx.put(warehouses, key, stopping);
  await schedule(tx, key, jar.clock.now() + machineMs(jar, 'warehouseStop'));
  await recordWarehouse(tx, jar, 'stop', stopping);
  return stopping;
}

/** A running warehouse stops first; it stops counting towards the limit of the workspace immediately. */
export async function deleteWarehouse(tx: Tx, jar: WarehouseJar, warehouse: Warehouse): Promise<void> {
  const key = keyOf(warehouse);
  await freeCount(tx, jar, { row: 'warehouses', scope: [warehouse.workspaceId] });
  await recordWarehouse(tx, jar, 'delete', warehouse);
  const isDefault = (await tx.get(defaultWarehouses, warehouse.workspaceId))?.value.warehouseId === warehouse.id;
  if (isDefault) await tx.put(defaultWarehouses, warehouse.workspaceId, { warehouseId: '' });
  if (warehouse.state === 'STOPPED') {
    await tx.delete(warehouses, key);
    return;
  }
  await tx.put(warehouses, key, { ...warehouse, state: 'DELETING', busy: 0 });
  await schedule(tx, key, jar.clock.now() + machineMs(jar, 'warehouseStop'));
}

/** Ends the current transition of a warehouse. */
export async function endTransition(tx: Tx, jar: WarehouseJar, warehouse: Warehouse): Promise<void> {
  const key = keyOf(warehouse);
  if (warehouse.state === 'STARTING') {
    const running: Warehouse = { ...warehouse, state: 'RUNNING', lastActivityAt: jar.clock.now() };
    await tx.put(warehouses, key, running);
    await watchIdleness(tx, running);
    await wakeStatements(tx, jar, running);
    await recordWarehouse(tx, jar, 'run', running);
  } else if (warehouse.state === 'STOPPING') {
    const stopped: Warehouse = { ...(await withoutUnits(tx, jar, warehouse)), state: 'STOPPED' };
    await tx.put(warehouses, key, stopped);
    await recordWarehouse(tx, jar, 'end', stopped);
  } else if (warehouse.state === 'DELETING') {
    await withoutUnits(tx, jar, warehouse);
    await tx.delete(warehouses, key);
  }
}

/** Time at which the warehouse stops without further activity; undefined if it never does. */
export function idleAt({ settings, busy, lastActivityAt }: Warehouse): number | undefined {
  const minutes = Number(settings.auto_stop_mins);
  return minutes > 0 && busy === 0 ? lastActivityAt + minutes * MINUTE_MS : undefined;
}

export async function watchIdleness(tx: Tx, warehouse: Warehouse): Promise<void> {
  const key = keyOf(warehouse);
  const dueAt = idleAt(warehouse);
  if (dueAt !== undefined) await tx.wake(IDLE_WAREHOUSE.at(dueAt, { key }, `${IDLE_WAREHOUSE.kind}:${key}`));
}

/** Throws if another warehouse of the workspace has this name. */
export async function checkName(tx: Tx, { workspaceId, id, name }: Pick<Warehouse, 'workspaceId' | 'id' | 'name'>) {
  await tx.lock(`platform.warehouse-names:${workspaceId}/${name.toLowerCase()}`);
  const filter = allOf(eq('workspace', workspaceId), eq('name', name.toLowerCase()));
  const { items } = await tx.query(warehouses, { filter, limit: 100 });
  if (items.some(({ value }) => value.id !== id && value.state !== 'DELETING'))
    throw errors.RESOURCE_ALREADY_EXISTS({ reason: `SQL warehouse with name ${name} already exists.` });
}
