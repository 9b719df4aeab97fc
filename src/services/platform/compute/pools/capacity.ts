import { allOf, eq, pagesOf, type Reader, type Tx } from '../../../../kernel/store/index.ts';
import { objectKey, objects } from '../../engine/objects.ts';
import { type Cluster, clusters, driverPoolOf, poolOf, type TerminationReason } from '../collections.ts';
import { INSTANCE_POOLS } from './kind.ts';
import { takeFromPool } from './returns.ts';

/** Number of a pool's machines in clusters. */
export interface PoolUse {
  readonly used: number;
  /** In clusters that are about to run. */
  readonly pending: number;
}

const RUNNING = new Set(['RUNNING', 'RESIZING', 'TERMINATING']);

/** All workers of a cluster come from one pool, the driver possibly from another. */
const machinesFrom = (pool: string, cluster: Cluster): number =>
  (poolOf(cluster) === pool ? cluster.workers : 0) + (driverPoolOf(cluster) === pool ? 1 : 0);

const UP = ['PENDING', 'RUNNING', 'RESTARTING', 'RESIZING', 'TERMINATING'];

export async function useOf(reader: Reader, workspaceId: string, pool: string): Promise<PoolUse> {
  const filter = allOf(
    eq('workspace', workspaceId),
    { op: 'has', field: 'pools', value: pool },
    { op: 'in', field: 'state', values: UP },
  );
  let used = 0;
  let pending = 0;
  for await (const page of pagesOf(reader, clusters, { filter })) {
    for (const { value } of page) {
      if (RUNNING.has(value.state)) used += machinesFrom(pool, value);
      else pending += machinesFrom(pool, value);
    }
  }
  return { used, pending };
}

/** Whether the worker pool of a cluster has fewer machines than the cluster's new size, which is already set. */
export async function lacksMachines(tx: Tx, cluster: Cluster): Promise<boolean> {
  const id = poolOf(cluster);
  if (id === undefined) return false;
  await tx.lock(`platform.pool:${cluster.workspaceId}/${id}`);
  const pool = (await tx.get(objects, objectKey(cluster.workspaceId, INSTANCE_POOLS.name, id), 'share'))?.value;
  const most = pool?.fields.max_capacity;
  return typeof most === 'number' && (await useOf(tx, cluster.workspaceId, id)).used > most;
}

/** Reason why the pools of a starting cluster cannot provide its machines. */
export async function poolProblem(tx: Tx, cluster: Cluster): Promise<TerminationReason | undefined> {
  const pools = new Set([poolOf(cluster), driverPoolOf(cluster)].flatMap((id) => id ?? []));
  for (const id of [...pools].sort()) {
    // Clusters that take machines from the same pool run one after another.
    await tx.lock(`platform.pool:${cluster.workspaceId}/${id}`);
    const pool = (await tx.get(objects, objectKey(cluster.workspaceId, INSTANCE_POOLS.name, id), 'share'))?.value;
    if (!pool) return refusal('INSTANCE_POOL_NOT_FOUND', id, `The instance pool ${id} does not exist.`);
    const most = pool.fields.max_capacity;
    if (typeof most !== 'number') continue;
    const { used } = await useOf(tx, cluster.workspaceId, id);
    if (used + machinesFrom(id, cluster) > most)
      return refusal(
        'INSTANCE_POOL_MAX_CAPACITY_REACHED',
        id,
        `The instance pool ${id} has at most ${most} instances.`,
      );
  }
  for (const id of pools) await takeFromPool(tx, cluster.workspaceId, id, machinesFrom(id, cluster));
  return undefined;
}

const refusal = (code: string, instance_pool_id: string, instance_pool_error_code: string): TerminationReason => ({
  code,
  type: 'CLIENT_ERROR',
  parameters: { instance_pool_error_code, instance_pool_id },
});
