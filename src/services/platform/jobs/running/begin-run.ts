import { SECOND_MS } from '../../../../kernel/time/index.ts';
import { runKey } from '../collections.ts';
import type { JobSettings } from '../job.ts';
import { notifyRun } from '../notifications/notify.ts';
import { advanceRun } from './advance-run.ts';
import { planCheckout } from './check-out-plan.ts';
import { sharedClusters } from './clusters.ts';
import { newTask } from './new-task.ts';
import type { RunChange } from './run-change.ts';
import { runDue } from './work.ts';

/** Starts a run, from the queue or immediately: creates its tasks, and starts those without dependencies. */
export async function beginRun(change: RunChange, only?: readonly string[]): Promise<void> {
  const { tasks, now, plan } = change;
  const chosen = only && new Set(only);
  const clusters = sharedClusters(tasks);
  change.changeRun({ state: 'RUNNING', startedAt: now, open: tasks.length, ...(clusters && { clusters }) });
  await planCheckout(change);
  const made = tasks.map((settings) => change.put(newTask(change, settings)));
  const { timeout_seconds: seconds = 0 } = plan;
  const { workspaceId, id } = change.run;
  if (seconds > 0) await change.tx.schedule(runDue(runKey(workspaceId, id), now + seconds * SECOND_MS));
  else if (change.run.queueReason !== undefined)
    await change.tx.cancel(runDue(runKey(workspaceId, id), 0).id as string);
  await notifyRun(change.tx, change.jar, change.run, plan as JobSettings, 'on_start');
  const left = made.filter(({ key }) => chosen && !chosen.has(key));
  await advanceRun(
    change,
    made.filter((task) => !left.includes(task)),
    left,
  );
}
