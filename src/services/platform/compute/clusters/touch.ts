import type { Tx } from '../../../../kernel/store/index.ts';
import { MINUTE_MS } from '../../../../kernel/time/index.ts';
import { type Cluster, clusterKey, clusters } from '../collections.ts';
import { IDLE_CLUSTER, workId } from '../work.ts';
import { autoscale } from './autoscale.ts';
import { keyOf } from './find.ts';
import type { ComputeJar } from './transitions.ts';

/** What is done on a cluster: something begins that takes time, it ends, or it was done at once. */
export type Activity = 'begin' | 'end' | 'done';

/**
 * Notes activity on a cluster, so that it does not terminate as idle. Commands and runs of jobs call it with `begin` and `end`. Does nothing for a
 * cluster that is not running, such as one that was restarted meanwhile.
 */
export async function touchCluster(
  tx: Tx,
  jar: ComputeJar,
  { workspaceId, clusterId }: { readonly workspaceId: string; readonly clusterId: string },
  activity: Activity,
): Promise<void> {
  const key = clusterKey(workspaceId, clusterId);
  const cluster = (await tx.get(clusters, key))?.value;
  if (cluster?.state !== 'RUNNING' && cluster?.state !== 'RESIZING') return;
  const busy = Math.max(0, cluster.busy + (activity === 'begin' ? 1 : activity === 'end' ? -1 : 0));
  const touched = { ...cluster, busy, lastActivityAt: jar.clock.now() };
  await tx.put(clusters, key, touched);
  await watchIdleness(tx, touched);
  if (activity !== 'done') await autoscale(tx, jar, touched);
}

/** When the cluster terminates by itself if nothing more happens on it; undefined where it never does. */
export function idleAt({ attributes, busy, lastActivityAt }: Cluster): number | undefined {
  const minutes = Number(attributes.autotermination_minutes ?? 0);
  return minutes > 0 && busy === 0 ? lastActivityAt + minutes * MINUTE_MS : undefined;
}

/** Looks again when a cluster has been idle for as long as it may be. An item that is there already comes earlier, and is moved on by its handler. */
export async function watchIdleness(tx: Tx, cluster: Cluster): Promise<void> {
  const key = keyOf(cluster);
  const dueAt = idleAt(cluster);
  if (dueAt !== undefined) await tx.wake(IDLE_CLUSTER.at(dueAt, { key }, workId(IDLE_CLUSTER, key)));
}
