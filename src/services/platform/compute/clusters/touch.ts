import type { Tx } from '../../../../kernel/store/index.ts';
import { MINUTE_MS } from '../../../../kernel/time/index.ts';
import { type Cluster, clusterKey, clusters } from '../collections.ts';
import { IDLE_CLUSTER, workId } from '../work.ts';
import { autoscale } from './autoscale.ts';
import { keyOf } from './find.ts';
import type { ComputeJar } from './transitions.ts';

/** Activity on a cluster: the start or the end of something that takes time, or something immediate. */
export type Activity = 'begin' | 'end' | 'done';

/**
 * Records activity on a cluster, so that it does not terminate as idle. Commands and runs of jobs call it with `begin` and `end`. Does
 * nothing if the cluster is not running, for example after a restart.
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

/** When the cluster terminates if there is no more activity. Returns undefined if it never does. */
export function idleAt({ attributes, busy, lastActivityAt }: Cluster): number | undefined {
  const minutes = Number(attributes.autotermination_minutes ?? 0);
  return minutes > 0 && busy === 0 ? lastActivityAt + minutes * MINUTE_MS : undefined;
}

/** Schedules the next idle check. An existing item is due earlier, and its handler reschedules it. */
export async function watchIdleness(tx: Tx, cluster: Cluster): Promise<void> {
  const key = keyOf(cluster);
  const dueAt = idleAt(cluster);
  if (dueAt !== undefined) await tx.wake(IDLE_CLUSTER.at(dueAt, { key }, workId(IDLE_CLUSTER, key)));
}
