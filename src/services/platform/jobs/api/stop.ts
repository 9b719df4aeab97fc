import { allOf, eq, type Filter, pagesOf } from '../../../../kernel/store/index.ts';
import { nameOf } from '../../access/standing.ts';
import { callerIdentity, type PlatformCall, workspaceIn } from '../../jar.ts';
import { readersFilter } from '../../permissions/guard.ts';
import { jobKey, runs } from '../collections.ts';
import type { Run } from '../run.ts';
import { cancelRun } from '../running/cancel.ts';
import { deleteRun } from '../schedule/forget-run.ts';
import { invalid } from '../settings/rules.ts';
import { findJob, findRun, mayUseRun } from './access.ts';
import { jobErrors } from './errors.ts';
import { bodyOf, flagIn, idIn, optionalId } from './request.ts';

/** Operations that cancel and delete runs. */

const canceledBy = (call: PlatformCall): NonNullable<Run['ends']> => ({
  outcome: 'CANCELED',
  message: `Run cancelled by ${nameOf(callerIdentity(call).principal)}.`,
});

/** `runs/cancel`. Does nothing if the run has ended. */
export async function cancelOne(call: PlatformCall): Promise<void> {
  const id = idIn(bodyOf(call), 'run_id');
  await call.jar.store.transact(async (tx) => {
    const run = await findRun(call, id, 'run', tx);
    if (run.state !== 'TERMINATED') await cancelRun(tx, call.jar, run, canceledBy(call));
  });
}

/** `runs/cancel-all`: the active runs of a job, only its queued runs, or all queued runs of the workspace that the caller may cancel. */
export async function cancelAll(call: PlatformCall): Promise<void> {
  const body = bodyOf(call);
  const id = optionalId(body, 'job_id');
  const queuedOnly = flagIn(body, 'all_queued_runs');
  const { id: workspace } = workspaceIn(call);
  if (id === undefined && !queuedOnly) throw invalid('Either job_id or all_queued_runs must be given.');
  if (id !== undefined) await findJob(call, id, 'run');
  const place = id === undefined ? eq('workspace', workspace) : eq('job', jobKey(workspace, id));
  const state: Filter = queuedOnly ? eq('queued', true) : eq('ended', false);
  const filter = allOf(place, state, id === undefined ? readersFilter(call) : undefined);
  // One transaction per run: a run may have a thousand tasks. Runs that start meanwhile are not cancelled.
  const found: Run[] = [];
  for await (const page of pagesOf(call.jar.store, runs, { filter })) found.push(...page.map(({ value }) => value));
  for (const run of found) {
    if (id === undefined && !(await mayUseRun(call, run, 'run'))) continue;
    await call.jar.store.transact((tx) => cancelRun(tx, call.jar, run, canceledBy(call)));
  }
}

/** `runs/delete`. */
export async function deleteOne(call: PlatformCall): Promise<void> {
  const id = idIn(bodyOf(call), 'run_id');
  await call.jar.store.transact(async (tx) => {
    const run = await findRun(call, id, 'manage', tx);
    if (run.state !== 'TERMINATED')
      throw jobErrors.INVALID_STATE__Active({ run: id, state: run.state, verb: 'deleted' });
    await deleteRun(tx, call.jar, run);
  });
}
