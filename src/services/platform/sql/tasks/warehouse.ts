import { ApiError } from '../../../../kernel/http/index.ts';
import type { Tx } from '../../../../kernel/store/index.ts';
import { workspaces } from '../../accounts/collections.ts';
import type { RunChange } from '../../jobs/running/run-change.ts';
import { type Warehouse, warehouseKey, warehouses } from '../../warehouses/collections.ts';
import { guardedWarehouse } from '../../warehouses/guarded.ts';
import { touchWarehouse } from '../../warehouses/touch.ts';
import { startWarehouse, type WarehouseJar } from '../../warehouses/transitions.ts';
import { mayUse } from '../../workspace/guarded.ts';

const LOOK_AGAIN_MS = 5000;

/**
 * Ensures that the warehouse of a task runs; starts it if it has stopped. Returns the time of the next check if it is not running yet, or a
 * text with the reason if the task cannot run on it.
 */
export async function useWarehouse(change: RunChange, id: string): Promise<number | string | undefined> {
  const { tx, jar, run, now } = change;
  const { workspaceId } = run;
  const warehouse = (await tx.get(warehouses, warehouseKey(workspaceId, id)))?.value;
  if (!warehouse || warehouse.state === 'DELETING') return `The SQL warehouse ${id.slice(0, 200)} does not exist.`;
  const standing = await jar.callerIdentities.within(tx, run.accountId, run.runAs);
  const workspace = (await tx.get(workspaces, workspaceId, 'none'))?.value;
  if (!standing || !workspace || !mayUse({ standing, workspace }, guardedWarehouse(warehouse), 'CAN_USE'))
    return `The identity of the run does not have CAN_USE on the SQL warehouse ${id}.`;
  if (warehouse.state !== 'RUNNING') return (await started(tx, jar, warehouse)) ?? now + LOOK_AGAIN_MS;
  // Marks the warehouse as used until now: its idle time counts from here.
  for (const activity of ['begin', 'end'] as const)
    await touchWarehouse(tx, jar, { workspaceId, warehouseId: id }, activity);
  return undefined;
}

/** A quota can prevent the start. */
async function started(tx: Tx, jar: WarehouseJar, warehouse: Warehouse): Promise<string | undefined> {
  try {
    await startWarehouse(tx, jar, warehouse);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}
