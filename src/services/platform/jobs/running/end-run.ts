import { runKey } from '../collections.ts';
import { durationsOf } from '../durations.ts';
import { notifyRun } from '../notifications/notify.ts';
import type { Ending, Run } from '../run.ts';
import { afterRun } from '../schedule/after-run.ts';
import { countedAs, outcomeOfRun } from './graph.ts';
import type { RunChange } from './run-change.ts';
import { fillSlots, runDue, taskDue } from './work.ts';

/** Ends a run: all of its tasks have ended, or it never starts. A task that waits for the run continues. */
export async function endRun(change: RunChange, given?: Ending): Promise<void> {
  const { tx, jar, now } = change;
  const ending = given ?? change.run.ends ?? outcomeOfRun(change.tasks, await change.all());
  const durations = change.tasks.length === 1 ? await durationsOfTask(change) : undefined;
  const latest = change.run.repairs.at(-1);
  change.changeRun({
    state: 'TERMINATED',
    ending: { outcome: ending.outcome, message: ending.message },
    endedAt: now,
    ...(durations && { durations }),
    ...(latest &&
      latest.endedAt === undefined && {
        repairs: [...change.run.repairs.slice(0, -1), { ...latest, endedAt: now, ending }],
      }),
  });
  const { run } = change;
  const key = runKey(run.workspaceId, run.id);
  if ((change.plan.timeout_seconds ?? 0) > 0 || run.queueReason !== undefined) await tx.cancel(runDue(key, 0).id);
  const event = countedAs(ending.outcome) === 'success' ? 'on_success' : 'on_failure';
  await notifyRun(tx, jar, run, change.plan, event);
  if (run.waitedForBy !== undefined) await tx.wake(taskDue(runKey(run.workspaceId, run.waitedForBy), now));
  // Unconditional: a concurrent transaction that does not see this end yet may be queuing another run of the job.
  if (run.jobId !== undefined) await tx.wake(fillSlots(run.workspaceId, now));
  await afterRun(tx, jar, run);
}

/** Stored with the run, so that lists of runs need not read tasks. */
async function durationsOfTask(change: RunChange): Promise<Run['durations']> {
  const [task] = (await change.all()).values();
  return task && durationsOf(task);
}
