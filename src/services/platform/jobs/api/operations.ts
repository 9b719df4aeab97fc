import { ok } from '../../../../kernel/http/index.ts';
import { type PlatformCall, routeCode } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import { findJob, findRunOrTask } from './access.ts';
import { exportRun } from './export.ts';
import { jobView } from './job-view.ts';
import { createJob, deleteJob, resetJob, updateJob } from './jobs.ts';
import { listJobs } from './list-jobs.ts';
import { listRuns } from './list-runs.ts';
import { runOutput } from './output.ts';
import { repair } from './repair.ts';
import { idIn } from './request.ts';
import { runView, taskRunView } from './run-view.ts';
import { runNow, submitRun } from './start.ts';
import { cancelAll, cancelOne, deleteOne } from './stop.ts';

const LARGEST_REQUEST_BYTES = 10 * 1024 * 1024;

/** A row for all versions, and for the path of the rate table. */
function row(
  method: 'GET' | 'POST',
  path: string,
  operation: string,
  summary: string,
  answer: (call: PlatformCall) => Promise<object | undefined>,
): Operation {
  return {
    method,
    path: `/jobs/${path}`,
    versions: ['2.2', '2.1', '2.0'],
    bare: [`/jobs/${path}`],
    operation: `jobs_${operation}`,
    summary: `Jobs: ${summary}`,
    bodyLimitBytes: LARGEST_REQUEST_BYTES,
    code: routeCode([], { handle: async (call) => ok((await answer(call)) ?? {}) }),
  };
}

const nothing = (operation: (call: PlatformCall) => Promise<void>) => async (call: PlatformCall) => {
  await operation(call);
  return undefined;
};

export const JOB_OPERATIONS: readonly Operation[] = [
  row('POST', 'create', 'create', 'create a job', async (call) => ({ job_id: Number((await createJob(call)).id) })),
  row('GET', 'get', 'get', 'read a job', async (call) =>
    jobView(call, await findJob(call, idIn(call.query, 'job_id'), 'view')),
  ),
  row('GET', 'list', 'list', 'list jobs, newest first', listJobs),
  row('POST', 'update', 'update', 'change some settings of a job', nothing(updateJob)),
  row('POST', 'reset', 'reset', 'replace all settings of a job', nothing(resetJob)),
  row('POST', 'delete', 'delete', 'delete a job', nothing(deleteJob)),
  row('POST', 'run-now', 'runNow', 'start a run of a job', async (call) => {
    const { id, number } = await runNow(call);
    return { run_id: Number(id), number_in_job: number };
  }),
  row('POST', 'runs/submit', 'submitRun', 'start a run without a job', async (call) => ({
    run_id: Number((await submitRun(call)).id),
  })),
  row('GET', 'runs/get', 'getRun', 'read a run or a task run', async (call) => {
    const { run, task } = await findRunOrTask(call, idIn(call.query, 'run_id'));
    return task ? taskRunView(call, run, task) : runView(call, run);
  }),
  row('GET', 'runs/list', 'listRuns', 'list runs, active ones first', listRuns),
  row('GET', 'runs/get-output', 'getRunOutput', 'read the output of a task run', runOutput),
  row('GET', 'runs/output', 'readRunOutput', 'read the output of a task run, by its older name', runOutput),
  row('GET', 'runs/export', 'exportRun', 'export the notebooks of a run or a task run', exportRun),
  row('POST', 'runs/cancel', 'cancelRun', 'cancel a run', nothing(cancelOne)),
  row('POST', 'runs/cancel-all', 'cancelAllRuns', 'cancel all active runs of a job', nothing(cancelAll)),
  row('POST', 'runs/repair', 'repairRun', 'run tasks of an ended run again', async (call) => ({
    repair_id: Number(await repair(call)),
  })),
  row('POST', 'runs/delete', 'deleteRun', 'delete a run that has ended', nothing(deleteOne)),
];
