import { allOf, eq, walk } from '../../../kernel/store/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import { settleWith } from '../compute/settle-with.ts';
import type { PlatformJar } from '../jar.ts';
import { warehouses } from './collections.ts';
import { beginStart, endTransition, idleAt, stopWarehouse } from './transitions.ts';
import { IDLE_WAREHOUSE, RESTART_WAREHOUSES, STEP_WAREHOUSE } from './work.ts';

const stepWarehouse = workHandler(STEP_WAREHOUSE, async (item, jar: PlatformJar) => {
  await jar.store.transact(async (tx) => {
    const warehouse = (await tx.get(warehouses, item.payload.key))?.value;
    await tx.complete(item);
    if (warehouse) await endTransition(tx, jar, warehouse);
  });
});

/** Stops a warehouse without activity for its idle timeout. */
const idleWarehouse = workHandler(IDLE_WAREHOUSE, async (item, jar: PlatformJar) => {
  await settleWith(jar.store, item, async (tx) => {
    const warehouse = (await tx.get(warehouses, item.payload.key))?.value;
    return async () => {
      if (warehouse?.state !== 'RUNNING') return undefined;
      const dueAt = idleAt(warehouse);
      if (dueAt === undefined || dueAt > jar.clock.now()) return dueAt;
      await stopWarehouse(tx, jar, warehouse);
      return undefined;
    };
  });
});

/** One transaction per warehouse. A warehouse that was stopped meanwhile stays stopped. */
const restartWarehouses = workHandler(RESTART_WAREHOUSES, async ({ payload }, jar: PlatformJar) => {
  const { store } = jar;
  const filter = allOf(eq('workspace', payload.workspaceId), eq('state', 'RUNNING'));
  for await (const { key } of walk(store, warehouses, { filter })) {
    await store.transact(async (tx) => {
      const warehouse = (await tx.get(warehouses, key))?.value;
      if (warehouse?.state === 'RUNNING') await beginStart(tx, jar, warehouse);
    });
  }
});

/** Handlers of the work kinds of warehouses. */
export const WAREHOUSE_HANDLERS = [stepWarehouse, idleWarehouse, restartWarehouses] as const;
