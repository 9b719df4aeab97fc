import type { Reader } from '../../../../kernel/store/index.ts';
import { isAdminOf, nameOf } from '../../access/standing.ts';
import { errors } from '../../errors.ts';
import { callerIdentity, type PlatformCall, workspaceIn } from '../../jar.ts';
import type { AclEntry } from '../../permissions/acl.ts';
import { allows } from '../../permissions/guard.ts';
import { jobKey, jobs, runKey, runs, taskRuns } from '../collections.ts';
import type { Job } from '../job.ts';
import type { Run } from '../run.ts';
import type { TaskRun } from '../task-run.ts';

/** Permissions on jobs and runs. The messages are those of the real service. */

const NEEDS = {
  view: { level: 'CAN_VIEW', words: 'View or Admin or Manage Run or Owner' },
  run: { level: 'CAN_MANAGE_RUN', words: 'Admin or Manage Run or Owner' },
  manage: { level: 'CAN_MANAGE', words: 'Admin or Owner' },
} as const;

export type Need = keyof typeof NEEDS;

const may = (call: PlatformCall, id: string, acl: readonly AclEntry[], need: Need): boolean =>
  allows(call, { type: 'jobs', id, acl }, NEEDS[need].level);

const denied = (call: PlatformCall, what: string, need: Need) =>
  errors.PERMISSION_DENIED({
    reason: `User ${nameOf(callerIdentity(call).principal)} does not have ${NEEDS[need].words} permissions on ${what}`,
  });

export const noSuchJob = (id: string) => errors.INVALID_PARAMETER_VALUE({ reason: `Job ${id} does not exist.` });
export const noSuchRun = (id: string) => errors.INVALID_PARAMETER_VALUE({ reason: `Run ${id} does not exist.` });

/**
 * Returns the job if the caller has this right on it. The permission is checked before the existence: only administrators learn that a job
 * does not exist.
 */
export async function findJob(
  call: PlatformCall,
  id: string,
  need: Need,
  reader: Reader = call.jar.store,
): Promise<Job> {
  const workspace = workspaceIn(call);
  const job = (await reader.get(jobs, jobKey(workspace.id, id)))?.value;
  if (job && may(call, id, job.acl, need)) return job;
  if (!job && isAdminOf(callerIdentity(call), workspace)) throw noSuchJob(id);
  throw denied(call, `job ${id}`, need);
}

/**
 * Returns true if the caller has this right on a run. The current permissions of its job decide; a submitted run, or a run of a deleted
 * job, has permissions of its own.
 */
export async function mayUseRun(
  call: PlatformCall,
  run: Run,
  need: Need,
  reader: Reader = call.jar.store,
): Promise<boolean> {
  const { jobId, workspaceId, id } = run;
  const job = jobId === undefined ? undefined : (await reader.get(jobs, jobKey(workspaceId, jobId), 'none'))?.value;
  return may(call, jobId ?? id, job?.acl ?? run.acl, need);
}

async function requireRun(call: PlatformCall, run: Run, need: Need, reader?: Reader): Promise<void> {
  if (!(await mayUseRun(call, run, need, reader))) throw denied(call, `run ${run.id}`, need);
}

export async function findRun(
  call: PlatformCall,
  id: string,
  need: Need,
  reader: Reader = call.jar.store,
): Promise<Run> {
  const run = (await reader.get(runs, runKey(workspaceIn(call).id, id)))?.value;
  if (!run) throw noSuchRun(id);
  await requireRun(call, run, need, reader);
  return run;
}

/** Returns a run, or a task run together with its run: both have ids of the same kind. */
export async function findRunOrTask(
  call: PlatformCall,
  id: string,
): Promise<{ readonly run: Run; readonly task?: TaskRun }> {
  const { store } = call.jar;
  const { id: workspace } = workspaceIn(call);
  const run = (await store.get(runs, runKey(workspace, id)))?.value;
  const task = run ? undefined : (await store.get(taskRuns, runKey(workspace, id)))?.value;
  const found = run ?? (task && (await store.get(runs, runKey(workspace, task.runId)))?.value);
  if (!found) throw noSuchRun(id);
  await requireRun(call, found, 'view');
  return { run: found, ...(task && { task }) };
}
