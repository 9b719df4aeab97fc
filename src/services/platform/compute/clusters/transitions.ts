import { numericId } from '../../../../kernel/ids/index.ts';
import type { Tx } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { wakeTasksOfCluster } from '../../jobs/running/cluster-changes.ts';
import { type Cluster, policyOf, poolOf, type TerminationReason } from '../collections.ts';
import { dropContexts } from '../contexts/drop.ts';
import { computeErrors } from '../errors.ts';
import { resetLibraries } from '../libraries/install.ts';
import { checkMostPerUser } from '../policies/govern.ts';
import { machineMs, type TimingJar } from '../timing.ts';
import { EXPIRE_CLUSTER, STEP_CLUSTER, workId } from '../work.ts';
import { type ClusterSize, sizeOf, workersOf } from './fields.ts';
import { keyOf } from './find.ts';
import { recordCluster, saveCluster } from './save.ts';
import { sizeDetails } from './sizes.ts';

/**
 * State changes of a cluster, each within the caller's transaction. A transition that takes time schedules its end, in one work item per
 * cluster, since a cluster has at most one transition at a time.
 */

export type ComputeJar = Pick<PlatformJar, 'clock' | 'config' | 'limits'>;

const schedule = (tx: Tx, key: string, dueAt: number): Promise<string> =>
  tx.schedule(STEP_CLUSTER.at(dueAt, { key }, workId(STEP_CLUSTER, key)));

const unexpected = ({ id, state }: Cluster) => computeErrors.INVALID_STATE__Cluster({ id, state });

export const STARTING = 'Finding instances for new nodes, acquiring more instances if necessary';

const startMs = (jar: TimingJar, cluster: Cluster): number =>
  machineMs(jar, poolOf(cluster) === undefined ? 'start' : 'startFromPool');

/** Identifies a driver: unique among clusters, and new after every start. */
export const newContextId = (): number => Number(numericId());

/** Schedules the end of a new cluster's start. */
export const beginLife = async (tx: Tx, jar: ComputeJar, cluster: Cluster): Promise<void> => {
  await schedule(tx, keyOf(cluster), jar.clock.now() + startMs(jar, cluster));
};

/** Starts a terminated cluster. */
export async function startCluster(tx: Tx, jar: ComputeJar, cluster: Cluster, user: string): Promise<Cluster> {
  if (cluster.state !== 'TERMINATED' && cluster.state !== 'ERROR') throw unexpected(cluster);
  await checkMostPerUser(tx, cluster.workspaceId, policyOf(cluster), cluster.owner);
  const now = jar.clock.now();
  const key = keyOf(cluster);
  const { terminatedAt: _at, terminationReason: _reason, unlisted: _unlisted, neverRan: _ran, ...rest } = cluster;
  const started = await saveCluster(
    tx,
    jar,
    {
      ...rest,
      state: 'PENDING',
      stateMessage: STARTING,
      workers: workersOf(sizeOf(cluster.attributes)),
      startedAt: now,
      contextId: newContextId(),
      lastActivityAt: now,
      busy: 0,
    },
    { type: 'STARTING', details: { user } },
  );
  await resetLibraries(tx, key);
  await tx.cancel(workId(EXPIRE_CLUSTER, key));
  await schedule(tx, key, now + startMs(jar, cluster));
  await recordCluster(tx, jar, 'start', started);
  return started;
}

/** Starts to terminate a cluster; a terminated or terminating one stays as it is. */
export async function terminateCluster(
  tx: Tx,
  jar: ComputeJar,
  cluster: Cluster,
  reason: TerminationReason,
): Promise<Cluster> {
  if (cluster.state === 'TERMINATING' || cluster.state === 'TERMINATED') return cluster;
  const key = keyOf(cluster);
  const { username } = reason.parameters;
  const { resizing: _resizing, ...rest } = cluster;
  const ended = await saveCluster(
    tx,
    jar,
    {
      ...rest,
      state: 'TERMINATING',
      stateMessage: messageOf(reason),
      terminationReason: reason,
      busy: 0,
      ...(cluster.state === 'PENDING' && { neverRan: true }),
    },
    { type: 'TERMINATING', details: { reason: reasonView(reason), ...(username !== undefined && { user: username }) } },
  );
  await dropContexts(tx, jar, cluster);
  await schedule(tx, key, jar.clock.now() + machineMs(jar, 'terminate'));
  // The tasks of a finished job cluster have ended before it.
  if (reason.code !== 'JOB_FINISHED') await wakeTasksOfCluster(tx, jar, key);
  await recordCluster(tx, jar, 'terminate', ended);
  return ended;
}

export const reasonView = ({ code, type, parameters }: TerminationReason): JsonMembers => ({ code, type, parameters });

function messageOf({ code, parameters }: TerminationReason): string {
  if (code === 'USER_REQUEST') return `Terminated by user ${parameters.username}`;
  if (code === 'INACTIVITY')
    return `Inactive cluster terminated (inactive for ${parameters.inactivity_duration_min} minutes).`;
  if (code === 'JOB_FINISHED') return 'The job that the cluster was created for has finished.';
  return Object.values(parameters)[0] ?? `Terminated: ${code}`;
}

export const byUser = (username: string): TerminationReason => ({
  code: 'USER_REQUEST',
  type: 'SUCCESS',
  parameters: { username },
});

/** Restarts a running cluster, with new attributes if an edit sets them. */
export async function restartCluster(tx: Tx, jar: ComputeJar, cluster: Cluster, user: string): Promise<Cluster> {
  if (cluster.state !== 'RUNNING') throw unexpected(cluster);
  const now = jar.clock.now();
  const key = keyOf(cluster);
  const restarted = await saveCluster(
    tx,
    jar,
    {
      ...cluster,
      state: 'RESTARTING',
      stateMessage: 'Restarting the driver and the workers',
      workers: workersOf(sizeOf(cluster.attributes)),
      contextId: newContextId(),
      lastStateLossAt: now,
      busy: 0,
    },
    { type: 'RESTARTING', details: { user } },
  );
  await dropContexts(tx, jar, cluster);
  await resetLibraries(tx, key);
  await schedule(tx, key, now + machineMs(jar, 'restart'));
  await wakeTasksOfCluster(tx, jar, key);
  await recordCluster(tx, jar, 'restart', restarted);
  return restarted;
}

/** Resizes a running cluster. Its attributes have the new size immediately. */
export async function resizeCluster(
  tx: Tx,
  jar: ComputeJar,
  cluster: Cluster,
  size: ClusterSize,
  user: string,
): Promise<Cluster> {
  if (cluster.state !== 'RUNNING') throw unexpected(cluster);
  const workers = workersOf(size);
  const { num_workers: _workers, autoscale: _scale, ...attributes } = cluster.attributes;
  const previous = sizeOf(cluster.attributes);
  const details = {
    user,
    cause: 'USER_REQUEST' as const,
    previous_cluster_size: { ...previous },
    cluster_size: { ...size },
  };
  return beginResize(tx, jar, { ...cluster, attributes: { ...attributes, ...size } }, workers, details);
}

/** Changes the number of workers of a running cluster. */
export async function beginResize(
  tx: Tx,
  jar: ComputeJar,
  cluster: Cluster,
  workers: number,
  details: JsonMembers & { readonly cause: 'USER_REQUEST' | 'AUTOSCALE' },
): Promise<Cluster> {
  const from = cluster.workers;
  const target: Cluster = {
    ...cluster,
    state: 'RESIZING',
    stateMessage: `Resizing from ${from} to ${workers} workers`,
    workers,
    resizing: { from, cause: details.cause },
  };
  const event = { type: 'RESIZING', details: { ...details, ...sizeDetails(target, from) } };
  const resized = await saveCluster(tx, jar, target, event);
  await schedule(tx, keyOf(cluster), jar.clock.now() + machineMs(jar, 'resize'));
  await recordCluster(tx, jar, 'resize', resized);
  return resized;
}
