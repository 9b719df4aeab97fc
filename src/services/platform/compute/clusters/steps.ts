import type { Tx } from '../../../../kernel/store/index.ts';
import { deleteAll } from '../../../../kernel/store/index.ts';
import { workHandler } from '../../../../kernel/work/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { wakeTasksOfCluster } from '../../jobs/running/cluster-changes.ts';
import {
  type Cluster,
  clusterEvents,
  clusterLibraries,
  clusters,
  commands,
  type TerminationReason,
} from '../collections.ts';
import { beginInstalling } from '../libraries/install.ts';
import { lacksMachines, poolProblem } from '../pools/capacity.ts';
import { returnToPool } from '../pools/returns.ts';
import { settleWith } from '../settle-with.ts';
import { KEPT_MS, LISTED_MS } from '../timing.ts';
import { AUTOSCALE_CLUSTER, EXPIRE_CLUSTER, IDLE_CLUSTER, STEP_CLUSTER, SWEEP_CLUSTER, workId } from '../work.ts';
import { autoscale } from './autoscale.ts';
import { keyOf } from './find.ts';
import { initScriptEvents } from './init-scripts.ts';
import { recordCluster, saveCluster } from './save.ts';
import { sizeDetails } from './sizes.ts';
import { idleAt, watchIdleness } from './touch.ts';
import { terminateCluster } from './transitions.ts';

/** Ends the current transition of a cluster. */
export const stepCluster = workHandler(STEP_CLUSTER, async (item, jar: PlatformJar) => {
  await jar.store.transact(async (tx) => {
    const cluster = (await tx.get(clusters, item.payload.key))?.value;
    // Completed first, since the following code may schedule the next step under the same id.
    await tx.complete(item);
    if (cluster) await endTransition(tx, jar, cluster);
  });
});

async function endTransition(tx: Tx, jar: PlatformJar, cluster: Cluster): Promise<void> {
  switch (cluster.state) {
    case 'PENDING':
    case 'RESTARTING':
      return run(tx, jar, cluster);
    case 'RESIZING':
      return endResize(tx, jar, cluster);
    case 'TERMINATING':
      return end(tx, jar, cluster);
  }
}

/**
 * Completes a resize: the cluster has its new size, or its old one if its pool has no more machines. An automatic resize does not count as
 * activity.
 */
async function endResize(tx: Tx, jar: PlatformJar, { resizing, ...cluster }: Cluster): Promise<void> {
  const { from = cluster.workers, cause } = resizing ?? {};
  const isUpsize = cluster.workers > from;
  const isShort = isUpsize && (await lacksMachines(tx, cluster));
  const event = { type: isShort ? 'ADD_NODES_FAILED' : 'UPSIZE_COMPLETED', details: sizeDetails(cluster) };
  const resized = await saveCluster(
    tx,
    jar,
    {
      ...cluster,
      state: 'RUNNING',
      stateMessage: '',
      ...(isShort && { workers: from }),
      ...(cause !== 'AUTOSCALE' && { lastActivityAt: jar.clock.now() }),
    },
    ...(isShort ? [{ ...event, details: sizeDetails(cluster, from) }] : isUpsize ? [event] : []),
  );
  if (cluster.workers < from) await returnToPool(tx, jar, cluster, from - cluster.workers);
  await watchIdleness(tx, resized);
  await recordCluster(tx, jar, 'run', resized);
  if (!isShort) await autoscale(tx, jar, resized);
}

/** The machines are ready: the cluster runs, or terminates with the reason why it cannot. */
async function run(tx: Tx, jar: PlatformJar, cluster: Cluster): Promise<void> {
  const problem = await poolProblem(tx, cluster);
  if (problem) return fail(tx, jar, cluster, problem);
  const now = jar.clock.now();
  const { events, failure } = await initScriptEvents(tx, jar, cluster);
  if (failure) {
    const tried = await saveCluster(tx, jar, cluster, ...events);
    return fail(tx, jar, tried, failure);
  }
  const isRestart = cluster.state === 'RESTARTING';
  const running = await saveCluster(
    tx,
    jar,
    {
      ...cluster,
      state: 'RUNNING',
      stateMessage: '',
      lastActivityAt: now,
      ...(isRestart && { lastRestartedAt: now }),
    },
    ...events,
    { type: 'RUNNING', details: sizeDetails(cluster) },
    { type: 'DRIVER_HEALTHY', details: {} },
  );
  await watchIdleness(tx, running);
  await beginInstalling(tx, jar, running);
  await wakeTasksOfCluster(tx, jar, keyOf(running));
  await recordCluster(tx, jar, 'run', running);
}

async function fail(tx: Tx, jar: PlatformJar, cluster: Cluster, reason: TerminationReason): Promise<void> {
  await terminateCluster(tx, jar, cluster, reason);
}

/** The machines are released. Only the record remains, for its retention time. */
async function end(tx: Tx, jar: PlatformJar, cluster: Cluster): Promise<void> {
  const now = jar.clock.now();
  const ended = await saveCluster(tx, jar, {
    ...cluster,
    state: 'TERMINATED',
    terminatedAt: now,
    lastStateLossAt: now,
  });
  if (!ended.neverRan) await returnToPool(tx, jar, ended, ended.workers, 1);
  await keepFor(tx, ended, now + LISTED_MS);
  await recordCluster(tx, jar, 'end', ended);
}

const keepFor = (tx: Tx, cluster: Cluster, dueAt: number): Promise<string> => {
  const key = keyOf(cluster);
  return tx.schedule(EXPIRE_CLUSTER.at(dueAt, { key }, workId(EXPIRE_CLUSTER, key)));
};

/** A terminated cluster that is unpinned gets the usual retention. */
export async function unpinned(tx: Tx, { clock }: Pick<PlatformJar, 'clock'>, cluster: Cluster): Promise<void> {
  if (cluster.terminatedAt === undefined) return;
  const kept = cluster.unlisted ? KEPT_MS : LISTED_MS;
  await keepFor(tx, cluster, Math.max(clock.now(), cluster.terminatedAt + kept));
}

/** A terminated cluster is hidden from lists after 30 days, and removed after 60. Pinned clusters stay. */
export const expireCluster = workHandler(EXPIRE_CLUSTER, async (item, jar: PlatformJar) => {
  await jar.store.transact(async (tx) => {
    const cluster = (await tx.get(clusters, item.payload.key))?.value;
    await tx.complete(item);
    if (!cluster || cluster.terminatedAt === undefined || cluster.pinnedAt !== undefined) return;
    if (jar.clock.now() >= cluster.terminatedAt + KEPT_MS) return removeCluster(tx, jar, cluster);
    const unlisted = await saveCluster(tx, jar, { ...cluster, unlisted: true });
    await keepFor(tx, unlisted, cluster.terminatedAt + KEPT_MS);
  });
});

/** In a transaction: removes a cluster. Due work removes its other data in slices. */
export async function removeCluster(tx: Tx, jar: Pick<PlatformJar, 'clock'>, cluster: Cluster): Promise<void> {
  const key = keyOf(cluster);
  await tx.delete(clusters, key);
  for (const kind of [STEP_CLUSTER, IDLE_CLUSTER, EXPIRE_CLUSTER, AUTOSCALE_CLUSTER])
    await tx.cancel(workId(kind, key));
  await tx.schedule(SWEEP_CLUSTER.at(jar.clock.now(), { key, of: 'cluster' }, workId(SWEEP_CLUSTER, key)));
  await recordCluster(tx, jar, 'delete', cluster);
}

/** Removes the remaining data of a cluster or context. Restarts from the beginning after a crash. */
export const sweepCluster = workHandler(SWEEP_CLUSTER, async ({ payload: { key, of } }, { store }: PlatformJar) => {
  const prefix = `${key}/`;
  await deleteAll(store, commands, { prefix });
  if (of !== 'cluster') return;
  await deleteAll(store, clusterEvents, { prefix });
  await store.transact((tx) => tx.delete(clusterLibraries, key));
});

/** Terminates a cluster that has been idle for its configured time. */
export const idleCluster = workHandler(IDLE_CLUSTER, async (item, jar: PlatformJar) => {
  await settleWith(jar.store, item, async (tx) => {
    // Locked before the item, the same order as in every other writer that records activity.
    const cluster = (await tx.get(clusters, item.payload.key))?.value;
    return async () => {
      if (cluster?.state !== 'RUNNING') return undefined;
      const dueAt = idleAt(cluster);
      if (dueAt === undefined || dueAt > jar.clock.now()) return dueAt;
      await terminateIdle(tx, jar, cluster);
      return undefined;
    };
  });
});

const terminateIdle = (tx: Tx, jar: PlatformJar, cluster: Cluster): Promise<Cluster> =>
  terminateCluster(tx, jar, cluster, {
    code: 'INACTIVITY',
    type: 'SUCCESS',
    parameters: { inactivity_duration_min: String(cluster.attributes.autotermination_minutes) },
  });
