import { jobKey, jobs, runKey, runs, taskRuns } from '../collections.ts';
import type { Job } from '../job.ts';
import type { Ending } from '../run.ts';
import type { TaskRun } from '../task-run.ts';
import { countedAs } from './graph.ts';
import { lookupFor } from './lookup.ts';
import { resolve } from './references.ts';
import { finishOrRetry } from './retry.ts';
import type { RunChange } from './run-change.ts';
import { startRun } from './start-run.ts';

/** Deepest nesting of runs that tasks start by `run_job_task`. */
const DEEPEST = 3;

/** A task that runs another job ends with the run that it starts. */
export async function startOtherRun(change: RunChange, task: TaskRun): Promise<TaskRun | undefined> {
  const { tx, jar, run } = change;
  const lookup = await lookupFor(change, task);
  const settings = resolve(change.settingsFor(task).run_job_task, lookup) as Readonly<Record<string, unknown>>;
  const id = String(settings.job_id);
  const job = (await tx.get(jobs, jobKey(run.workspaceId, id)))?.value;
  if (!job) return finishOrRetry(change, task, failed(`Job ${id} does not exist.`));
  if ((await depthOf(change)) >= DEEPEST)
    return finishOrRetry(change, task, failed(`Jobs that run jobs are nested more than ${DEEPEST} levels deep.`));
  const given = (settings.job_parameters ?? {}) as Readonly<Record<string, string>>;
  // Changes that are still in memory must be in the store before another run starts in the same transaction.
  await change.save();
  const other = await startRun(tx, jar, {
    job,
    workspace: { id: run.workspaceId, accountId: run.accountId },
    settings: job.settings,
    name: job.settings.name ?? 'Untitled',
    type: 'JOB_RUN',
    trigger: 'RUN_JOB_TASK',
    createdBy: run.createdBy,
    runAs: job.runAs,
    parameters: parametersFor(job, given),
    overriding: {},
    waitedForBy: task.id,
  });
  const waiting = change.put({ ...task, execution: { by: 'run', runId: other.id } });
  return other.state === 'TERMINATED' ? finishOrRetry(change, waiting, endingBy(other.ending)) : undefined;
}

const parametersFor = ({ settings }: Job, given: Readonly<Record<string, string>>) =>
  (settings.parameters ?? []).map(({ name, default: usual }) => ({
    name,
    default: usual,
    value: Object.hasOwn(given, name) ? (given[name] as string) : usual,
  }));

const failed = (message: string): Ending => ({ outcome: 'FAILED', message });

export function endingBy(ending: Ending | undefined): Ending {
  const outcome = ending?.outcome ?? 'INTERNAL_ERROR';
  if (countedAs(outcome) === 'success') return { outcome: 'SUCCESS', message: '' };
  return { outcome: outcome === 'CANCELED' ? 'CANCELED' : 'FAILED', message: ending?.message ?? '' };
}

async function depthOf({ tx, run }: RunChange): Promise<number> {
  let depth = 0;
  let waiting = run.waitedForBy;
  while (waiting !== undefined && depth < DEEPEST) {
    depth++;
    const task = (await tx.get(taskRuns, runKey(run.workspaceId, waiting), 'none'))?.value;
    waiting = task && (await tx.get(runs, runKey(run.workspaceId, task.runId), 'none'))?.value.waitedForBy;
  }
  return depth;
}
