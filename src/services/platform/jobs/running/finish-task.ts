import { leaveCleanRoom } from '../../clean-rooms/running/leave.ts';
import { runKey, taskOutputs } from '../collections.ts';
import { notifyRun } from '../notifications/notify.ts';
import type { Ending } from '../run.ts';
import type { TaskRun } from '../task-run.ts';
import { releaseShared } from './clusters.ts';
import { countedAs } from './graph.ts';
import type { RunChange } from './run-change.ts';

/** A task and all of its attempts have ended. The caller continues the run. */
export async function finishTask(change: RunChange, task: TaskRun, ending: Ending): Promise<TaskRun> {
  const { now, run } = change;
  const { waitsFrom: _waitsFrom, ...rest } = task;
  const ended = change.put({ ...rest, state: 'TERMINATED', ending, endedAt: now });
  if (!task.iteration) change.changeRun({ open: run.open - 1 });
  if (run.clusters && !task.iteration) await releaseShared(change, task);
  await leaveCleanRoom(change, task, ending);
  const counted = countedAs(ending.outcome);
  // A task that never started sends no notification of its end.
  if (task.startedAt !== undefined && counted !== 'excluded') {
    const event = counted === 'success' ? 'on_success' : 'on_failure';
    const about = { task: ended, settings: change.settingsFor(task), isLastAttempt: true };
    await notifyRun(change.tx, change.jar, change.run, change.plan, event, about);
  }
  return ended;
}

/** Records an error that occurred before the program could write output. */
export async function noteError(change: RunChange, task: TaskRun, error: string): Promise<void> {
  const key = runKey(task.workspaceId, task.id);
  await change.tx.put(taskOutputs, key, { log: '', isTruncated: false, error });
}
