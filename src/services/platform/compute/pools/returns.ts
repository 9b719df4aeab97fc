import type { Reader, Tx } from '../../../../kernel/store/index.ts';
import { MINUTE_MS } from '../../../../kernel/time/index.ts';
import { objectKey, objects, type PlatformObject } from '../../engine/objects.ts';
import type { PlatformJar } from '../../jar.ts';
import { type Cluster, driverPoolOf, poolOf } from '../collections.ts';
import { type PoolReturns, poolKey, poolReturns } from './collections.ts';
import { INSTANCE_POOLS } from './kind.ts';

/** Returned machines stay idle in their pool for the time that the pool configures. */

const MOST_ENTRIES = 100;

const waitsMs = ({ fields }: PlatformObject): number =>
  Number(fields.idle_instance_autotermination_minutes ?? 0) * MINUTE_MS;

const stillThere = ({ returned }: PoolReturns, after: number): PoolReturns['returned'] =>
  returned.filter(({ at }) => at > after);

/** In a transaction: returns workers and drivers of a cluster. */
export async function returnToPool(
  tx: Tx,
  { clock }: Pick<PlatformJar, 'clock'>,
  cluster: Cluster,
  workers: number,
  drivers = 0,
): Promise<void> {
  const counts = new Map<string, number>();
  const add = (pool: string | undefined, count: number): void => {
    if (pool !== undefined && count > 0) counts.set(pool, (counts.get(pool) ?? 0) + count);
  };
  add(poolOf(cluster), workers);
  add(driverPoolOf(cluster), drivers);
  const at = clock.now();
  for (const [id, count] of [...counts].sort(([left], [right]) => (left < right ? -1 : 1))) {
    const pool = (await tx.get(objects, objectKey(cluster.workspaceId, INSTANCE_POOLS.name, id), 'share'))?.value;
    if (!pool) continue;
    const key = poolKey(cluster.workspaceId, id);
    const before = (await tx.get(poolReturns, key))?.value ?? { returned: [] };
    const returned = [{ at, count }, ...stillThere(before, at - waitsMs(pool))].slice(0, MOST_ENTRIES);
    await tx.put(poolReturns, key, { returned });
  }
}

/** In a transaction: a cluster takes machines from a pool, idle ones first. */
export async function takeFromPool(tx: Tx, workspaceId: string, pool: string, count: number): Promise<void> {
  const key = poolKey(workspaceId, pool);
  const held = (await tx.get(poolReturns, key))?.value;
  if (!held) return;
  let left = count;
  const returned = held.returned.flatMap((each) => {
    const taken = Math.min(left, each.count);
    left -= taken;
    return taken === each.count ? [] : [{ ...each, count: each.count - taken }];
  });
  await tx.put(poolReturns, key, { returned });
}

/** The number of returned machines that are still idle. */
export async function waitingIn(reader: Reader, pool: PlatformObject, now: number): Promise<number> {
  const held = (await reader.get(poolReturns, poolKey(pool.scope, pool.id)))?.value;
  return held ? stillThere(held, now - waitsMs(pool)).reduce((sum, { count }) => sum + count, 0) : 0;
}
