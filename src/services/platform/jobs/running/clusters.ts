import { ApiError } from '../../../../kernel/http/index.ts';
import { MINUTE_MS } from '../../../../kernel/time/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { type CallerIdentity, nameOf } from '../../access/standing.ts';
import { accounts, workspaces } from '../../accounts/collections.ts';
import { makeCluster } from '../../compute/clusters/create.ts';
import { readAttributes } from '../../compute/clusters/fields.ts';
import { findCluster, guardedCluster } from '../../compute/clusters/find.ts';
import { touchCluster } from '../../compute/clusters/touch.ts';
import { startCluster, terminateCluster } from '../../compute/clusters/transitions.ts';
import { type Cluster, clusterKey, clusters } from '../../compute/collections.ts';
import { checkMayCreateCompute } from '../../compute/entitled.ts';
import { membersOf } from '../../engine/json.ts';
import type { PlatformCall } from '../../jar.ts';
import { requireLevel } from '../../permissions/guard.ts';
import type { TaskSettings } from '../job.ts';
import type { Ending } from '../run.ts';
import type { TaskCluster, TaskRun } from '../task-run.ts';
import type { RunChange } from './run-change.ts';

/** The clusters that tasks request. Only called for tasks that request a cluster. */

export const namesCluster = ({ new_cluster: own, job_cluster_key: shared, existing_cluster_id: id }: TaskSettings) =>
  own !== undefined || shared !== undefined || id !== undefined;

/** Fallback interval; changes of the cluster wake the task sooner. */
export const LOOK_AGAIN_MS = 10 * MINUTE_MS;

const FINISHED = { code: 'JOB_FINISHED', type: 'SUCCESS', parameters: {} } as const;

/** The task with its cluster, which is running or starting; or the reason why the cluster cannot be used. */
export type Place = { readonly task: TaskRun; readonly isReady: boolean } | { readonly problem: Ending };

const refused = (code: NonNullable<Ending['code']>, message: string): Place => ({
  problem: { outcome: 'INTERNAL_ERROR', message, code },
});

export async function findPlace(change: RunChange, task: TaskRun): Promise<Place> {
  const identity = await identityOf(change);
  if (!identity) return refused('UNAUTHORIZED_ERROR', 'The identity of the run does not exist any more.');
  try {
    if (task.cluster) return await look(change, task, task.cluster);
    const { is, cluster } = await clusterFor(change, task, identity);
    return await look(change, task, { id: cluster.id, is });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const isDenied = error.code === 'PERMISSION_DENIED';
    return refused(isDenied ? 'UNAUTHORIZED_ERROR' : 'INVALID_CLUSTER_REQUEST', error.message);
  }
}

const clusterOf = async ({ tx }: RunChange, workspaceId: string, id: string): Promise<Cluster | undefined> =>
  (await tx.get(clusters, clusterKey(workspaceId, id)))?.value;

async function look(change: RunChange, task: TaskRun, { id, is }: TaskCluster): Promise<Place> {
  const cluster = await clusterOf(change, task.workspaceId, id);
  const lost = lossOf(cluster, id);
  if (lost) return { problem: lost };
  if (cluster?.state !== 'RUNNING' && cluster?.state !== 'RESIZING')
    return { task: { ...task, state: 'PENDING', cluster: { id, is } }, isReady: false };
  await touchCluster(change.tx, change.jar, { workspaceId: task.workspaceId, clusterId: id }, 'begin');
  const hasWaited = task.startedAt !== undefined && task.startedAt < change.now;
  const placed: TaskRun = {
    ...task,
    state: 'RUNNING',
    cluster: { id, is, contextId: cluster.contextId },
    ...(hasWaited && { readyAt: change.now }),
  };
  return { task: placed, isReady: true };
}

/** Why a cluster can no longer be used; undefined if it runs or starts. */
function lossOf(cluster: Cluster | undefined, id: string): Ending | undefined {
  const outcome = 'INTERNAL_ERROR';
  if (!cluster) return { outcome, message: `Cluster ${id} does not exist.`, code: 'CLUSTER_ERROR' };
  if (cluster.state !== 'TERMINATING' && cluster.state !== 'TERMINATED' && cluster.state !== 'ERROR') return undefined;
  const isByUser = cluster.terminationReason?.code === 'USER_REQUEST';
  const why = cluster.stateMessage === '' ? 'it was terminated' : cluster.stateMessage;
  return {
    outcome,
    message: `Cluster ${id} cannot be used: ${why}`,
    code: isByUser ? 'CLUSTER_TERMINATED_BY_USER' : 'CLUSTER_ERROR',
  };
}

/** Ending of a running task whose cluster was terminated or restarted; undefined if the cluster is unchanged. */
export async function clusterLost(change: RunChange, task: TaskRun): Promise<Ending | undefined> {
  const { cluster: used } = task;
  if (used?.contextId === undefined) return undefined;
  const cluster = await clusterOf(change, task.workspaceId, used.id);
  const lost = lossOf(cluster, used.id);
  if (lost || cluster?.contextId === used.contextId) return lost;
  return { outcome: 'INTERNAL_ERROR', message: `Cluster ${used.id} was restarted.`, code: 'CLUSTER_ERROR' };
}

interface Identity {
  readonly standing: CallerIdentity;
  readonly call: Pick<PlatformCall, 'facts' | 'jar'>;
}

/** The principal that the run acts as, which creates, starts and uses clusters. */
async function identityOf({ tx, jar, run }: RunChange): Promise<Identity | undefined> {
  const standing = await jar.callerIdentities.within(tx, run.accountId, run.runAs);
  const workspace = (await tx.get(workspaces, run.workspaceId, 'none'))?.value;
  const account = (await tx.get(accounts, run.accountId, 'none'))?.value;
  if (!standing || !workspace || !account) return undefined;
  return { standing, call: { jar, facts: { account, workspace, standing } } };
}

async function clusterFor(
  change: RunChange,
  task: TaskRun,
  identity: Identity,
): Promise<{ readonly is: TaskCluster['is']; readonly cluster: Cluster }> {
  const { new_cluster: own, job_cluster_key: key, existing_cluster_id: id } = change.settingsFor(task);
  if (typeof id === 'string') return { is: 'existing', cluster: await existing(change, id, identity) };
  if (own !== undefined) {
    return { is: 'own', cluster: await make(change, task.key, membersOf(own), identity) };
  }
  return { is: 'shared', cluster: await shared(change, String(key), identity) };
}

/** The cluster of `existing_cluster_id`. A terminated cluster is started. */
async function existing({ tx, jar }: RunChange, id: string, { call, standing }: Identity): Promise<Cluster> {
  const found = await findCluster(call, id, 'CAN_ATTACH_TO', tx);
  if (found.state !== 'TERMINATED') return found;
  requireLevel(call, guardedCluster(found), 'CAN_RESTART');
  return startCluster(tx, jar, found, nameOf(standing.principal));
}

/** The cluster that tasks of the run share. A cluster that can no longer be used is replaced. */
async function shared(change: RunChange, key: string, identity: Identity): Promise<Cluster> {
  const { run, plan } = change;
  const entry = run.clusters?.[key];
  const found = entry?.id === undefined ? undefined : await clusterOf(change, run.workspaceId, entry.id);
  if (found && !lossOf(found, found.id)) return found;
  const spec = plan.job_clusters?.find(({ job_cluster_key: each }) => each === key)?.new_cluster;
  const made = await make(change, key, membersOf(spec), identity);
  change.changeRun({ clusters: { ...change.run.clusters, [key]: { open: entry?.open ?? 1, id: made.id } } });
  return made;
}

async function make(change: RunChange, key: string, spec: JsonMembers, { call }: Identity): Promise<Cluster> {
  const { tx, jar, run } = change;
  const { clone_from: _clone, ...asked } = readAttributes({
    ...usual(spec),
    cluster_name: `job-${run.jobId ?? run.id}-run-${run.id}-${key}`,
  });
  if (typeof asked.policy_id !== 'string') await checkMayCreateCompute(tx, call, 'clusters');
  return makeCluster(tx, jar, call, asked, 'JOB');
}

/** A job may set only an image for its compute. The other required fields get defaults, unless a policy sets them. */
function usual(spec: JsonMembers): JsonMembers {
  const { policy_id: policy, instance_pool_id: pool, num_workers, autoscale } = spec;
  if (policy !== undefined) return spec;
  return {
    spark_version: 'auto:latest-lts',
    ...(pool === undefined && { node_type_id: 'Standard_DS3_v2' }),
    ...(num_workers === undefined && autoscale === undefined && { num_workers: 0 }),
    ...spec,
  };
}

/** Called when a program stops running on the cluster of its task, or when the task stops waiting for the cluster. */
export async function leaveCluster(change: RunChange, { workspaceId, cluster }: TaskRun): Promise<void> {
  if (cluster?.is === 'own') return finishCluster(change, cluster.id);
  if (cluster?.contextId === undefined) return;
  await touchCluster(change.tx, change.jar, { workspaceId, clusterId: cluster.id }, 'end');
}

async function finishCluster(change: RunChange, id: string): Promise<void> {
  const cluster = await clusterOf(change, change.run.workspaceId, id);
  if (cluster) await terminateCluster(change.tx, change.jar, cluster, FINISHED);
}

/** The shared cluster that a task needs, for itself or for its iterations. */
const sharedKeyOf = ({ job_cluster_key: key, for_each_task: forEach }: TaskSettings): string | undefined => {
  const wanted = key ?? membersOf(membersOf(forEach).task).job_cluster_key;
  return typeof wanted === 'string' ? wanted : undefined;
};

/** Called when a run or a repair starts: counts how many of these tasks need each shared cluster. */
export function sharedClusters(tasks: readonly TaskSettings[]): NonNullable<RunChange['run']['clusters']> | undefined {
  const open = new Map<string, number>();
  for (const task of tasks) {
    const key = sharedKeyOf(task);
    if (key !== undefined) open.set(key, (open.get(key) ?? 0) + 1);
  }
  if (open.size === 0) return undefined;
  return Object.fromEntries([...open].map(([key, count]) => [key, { open: count }]));
}

/** A task of a run with shared clusters has ended. The cluster terminates with the last task that needs it. */
export async function releaseShared(change: RunChange, task: TaskRun): Promise<void> {
  const key = sharedKeyOf(change.settingsOf(task));
  const entry = key === undefined ? undefined : change.run.clusters?.[key];
  if (key === undefined || !entry) return;
  const open = entry.open - 1;
  change.changeRun({ clusters: { ...change.run.clusters, [key]: { ...entry, open } } });
  if (open === 0 && entry.id !== undefined) await finishCluster(change, entry.id);
}
