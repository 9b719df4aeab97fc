import type { Tx } from '../../../kernel/store/index.ts';
import { type Warehouse, warehouseKey, warehouses } from './collections.ts';
import { startWarehouse, type WarehouseJar, watchIdleness } from './transitions.ts';

/**
 * Records that a statement begins or ends on a warehouse, so that it does not stop as idle. A statement starts a stopped warehouse; it can
 * run once the state is `RUNNING`. Returns the updated warehouse, or undefined if it does not exist.
 */
export async function touchWarehouse(
  tx: Tx,
  jar: WarehouseJar,
  { workspaceId, warehouseId }: { readonly workspaceId: string; readonly warehouseId: string },
  activity: 'begin' | 'end',
): Promise<Warehouse | undefined> {
  const key = warehouseKey(workspaceId, warehouseId);
  const found = (await tx.get(warehouses, key))?.value;
  if (!found || found.state === 'DELETING') return undefined;
  const warehouse = activity === 'begin' ? await startWarehouse(tx, jar, found) : found;
  const busy = Math.max(0, warehouse.busy + (activity === 'begin' ? 1 : -1));
  const touched: Warehouse = { ...warehouse, busy, lastActivityAt: jar.clock.now() };
  await tx.put(warehouses, key, touched);
  if (touched.state === 'RUNNING') await watchIdleness(tx, touched);
  return touched;
}
