import { numericId } from '../../../../kernel/ids/index.ts';
import type { Tx } from '../../../../kernel/store/index.ts';
import { allOf, eq } from '../../../../kernel/store/index.ts';
import { HOUR_MS } from '../../../../kernel/time/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { reasonUnableToAct } from '../../accounts/acting.ts';
import type { PlatformJar } from '../../jar.ts';
import type { AclEntry } from '../../permissions/acl.ts';
import { jobKey, jobs, runKey, runs, runTokens } from '../collections.ts';
import type { Job, JobSettings } from '../job.ts';
import type { Run } from '../run.ts';
import { beginRun } from './begin-run.ts';
import { endRun } from './end-run.ts';
import { Plan, putPlan } from './plan.ts';
import { RunChange } from './run-change.ts';
import { hasFreeSlot, markSlotsWanted, noFreeSlots } from './task-slots.ts';
import { fillSlots, runDue } from './work.ts';

export interface NewRun {
  /** Read in this transaction, which locks its document. */
  readonly job?: Job;
  readonly workspace: { readonly id: string; readonly accountId: string };
  /** Validated, with defaults filled in. */
  readonly settings: JobSettings;
  readonly name: string;
  readonly type: Run['type'];
  readonly trigger: Run['trigger'];
  readonly createdBy: string;
  readonly runAs: string;
  readonly parameters: Run['parameters'];
  readonly overriding: JsonMembers;
  /** Overrides the setting of the job. */
  readonly queue?: boolean;
  /** Only these tasks; the others are skipped. */
  readonly only?: readonly string[];
  readonly idempotencyToken?: string;
  /** The task run of another run that waits for this one. */
  readonly waitedForBy?: string;
  readonly acl?: readonly AclEntry[];
  readonly updatedTables?: Run['updatedTables'];
}

const LONGEST_IN_QUEUE_MS = 48 * HOUR_MS;

/**
 * Creates a run, and starts it if the job has a place and the workspace a task slot for it. Otherwise the run waits in the queue if
 * queueing is allowed, or ends as skipped. A call is refused if the workspace has no slot for the tasks.
 */
export async function startRun(tx: Tx, jar: PlatformJar, given: NewRun): Promise<Run> {
  const { job, workspace, settings } = given;
  const number = (job?.lastNumber ?? 0) + 1;
  if (job) await tx.put(jobs, jobKey(workspace.id, job.id), { ...job, lastNumber: number });
  const made = newRun(jar, given, number);
  const planId = await putPlan(tx, made, { settings, ...(given.only && { only: given.only }) });
  const run = { ...made, planId };
  if (given.idempotencyToken !== undefined)
    await tx.put(runTokens, `${workspace.id}/${given.idempotencyToken}`, { runId: run.id });
  const change = new RunChange(tx, jar, run, new Plan(settings, given.only));
  const acting = { accountId: workspace.accountId, workspaceId: workspace.id, principal: given.runAs };
  const unable = await reasonUnableToAct(tx, jar, acting);
  if (unable !== undefined) return skip(change, 'UNAUTHORIZED', `The identity of the run has no access: ${unable}`);
  const mayWait = given.queue ?? settings.queue?.enabled ?? false;
  if (job && (await activeRuns(tx, job)) >= (settings.max_concurrent_runs ?? 1)) {
    if (mayWait) return enqueue(change, 'MAX_CONCURRENT_RUNS_REACHED');
    return skip(change, 'MAX_CONCURRENT_RUNS', 'Skipped: the maximum number of concurrent runs of the job is reached.');
  }
  if (!(await hasFreeSlot(tx, jar, workspace.id))) {
    if (mayWait) return enqueue(change, 'ACTIVE_RUNS_LIMIT_REACHED');
    if (given.trigger === 'ONE_TIME') throw await noFreeSlots(tx, jar, workspace.id);
    return skip(
      change,
      'WORKSPACE_RUN_LIMIT',
      'Skipped: the maximum number of concurrent tasks in the workspace is reached.',
    );
  }
  await beginRun(change, given.only);
  await change.save();
  await recordRun(tx, jar, change.run, 'run');
  return change.run;
}

function newRun(jar: PlatformJar, given: NewRun, number: number): Run {
  const { job, workspace, name, type, trigger, createdBy, runAs, parameters, overriding } = given;
  return {
    id: numericId(),
    workspaceId: workspace.id,
    accountId: workspace.accountId,
    ...(job && { jobId: job.id }),
    name,
    number: job ? number : 1,
    type,
    trigger,
    ...(given.updatedTables && { updatedTables: given.updatedTables }),
    createdBy,
    runAs,
    state: 'PENDING',
    createdAt: jar.clock.now(),
    open: 0,
    parameters,
    overriding,
    repairs: [],
    ...(given.waitedForBy !== undefined && { waitedForBy: given.waitedForBy }),
    ...(given.idempotencyToken !== undefined && { idempotencyToken: given.idempotencyToken }),
    acl: given.acl ?? job?.acl ?? [],
  };
}

export const activeRuns = (tx: Tx, { workspaceId, id }: Job): Promise<number> =>
  tx.count(runs, { filter: allOf(eq('job', jobKey(workspaceId, id)), eq('active', true)) });

async function enqueue(change: RunChange, reason: NonNullable<Run['queueReason']>): Promise<Run> {
  change.changeRun({ state: 'QUEUED', queueReason: reason });
  const { workspaceId, id, createdAt } = change.run;
  await change.save();
  await markSlotsWanted(change.tx, workspaceId);
  // A concurrent transaction that does not see this run yet may be ending the run whose place this one waits for.
  await change.tx.wake(fillSlots(workspaceId, change.now));
  await change.tx.schedule(runDue(runKey(workspaceId, id), createdAt + LONGEST_IN_QUEUE_MS));
  return change.run;
}

async function skip(
  change: RunChange,
  outcome: 'MAX_CONCURRENT_RUNS' | 'WORKSPACE_RUN_LIMIT' | 'UNAUTHORIZED',
  message: string,
): Promise<Run> {
  change.changeRun({ startedAt: change.now });
  await endRun(change, { outcome, message });
  await change.save();
  return change.run;
}

/** For the audit trail and the change feed. */
export const recordRun = (tx: Tx, { clock }: PlatformJar, run: Run, kind: string): Promise<void> =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/${run.workspaceId}/runs/${run.id}`,
    outcome: 'Succeeded',
    at: clock.now(),
    data: { run: run.id, ...(run.jobId !== undefined && { job: run.jobId }), state: run.state },
  });
