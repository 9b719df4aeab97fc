import type { Tx } from '../../../../kernel/store/index.ts';
import { MINUTE_MS } from '../../../../kernel/time/index.ts';
import { isObject } from '../../../../kernel/values/index.ts';
import { workHandler } from '../../../../kernel/work/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { type Cluster, clusters } from '../collections.ts';
import { settleWith } from '../settle-with.ts';
import { AUTOSCALE_CLUSTER, workId } from '../work.ts';
import { keyOf } from './find.ts';
import { beginResize, type ComputeJar } from './transitions.ts';

/**
 * A cluster with `autoscale` has one worker for each running command and task, within its bounds. It grows immediately, and shrinks after
 * ten minutes with more workers than needed.
 */

const SHRINKS_AFTER_MS = 10 * MINUTE_MS;

/** The number of workers that the current load needs. Returns undefined for a cluster of fixed size. */
function wantedWorkers({ attributes, busy }: Cluster): number | undefined {
  const { autoscale: range } = attributes;
  if (!isObject(range)) return undefined;
  return Math.max(Number(range.min_workers), Math.min(Number(range.max_workers), busy));
}

/** Called in a transaction after the load of a cluster has changed. */
export async function autoscale(tx: Tx, jar: ComputeJar, cluster: Cluster): Promise<void> {
  const wanted = wantedWorkers(cluster);
  if (cluster.state !== 'RUNNING' || wanted === undefined || wanted === cluster.workers) return;
  if (wanted > cluster.workers) {
    await beginResize(tx, jar, cluster, wanted, { cause: 'AUTOSCALE' });
    return;
  }
  const key = keyOf(cluster);
  const dueAt = cluster.lastActivityAt + SHRINKS_AFTER_MS;
  await tx.wake(AUTOSCALE_CLUSTER.at(dueAt, { key }, workId(AUTOSCALE_CLUSTER, key)));
}

/** Removes workers from a cluster that has not needed them for some time. */
export const shrinkCluster = workHandler(AUTOSCALE_CLUSTER, async (item, jar: PlatformJar) => {
  await settleWith(jar.store, item, async (tx) => {
    // Locked before the item, the same order as in every other writer that records activity.
    const cluster = (await tx.get(clusters, item.payload.key))?.value;
    return async () => {
      const wanted = cluster && wantedWorkers(cluster);
      if (cluster?.state !== 'RUNNING' || wanted === undefined || wanted >= cluster.workers) return undefined;
      const dueAt = cluster.lastActivityAt + SHRINKS_AFTER_MS;
      if (dueAt > jar.clock.now()) return dueAt;
      await beginResize(tx, jar, cluster, wanted, { cause: 'AUTOSCALE' });
      return undefined;
    };
  });
});
