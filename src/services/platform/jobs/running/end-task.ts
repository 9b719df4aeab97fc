import type { Ending } from '../run.ts';
import type { TaskRun } from '../task-run.ts';
import { advanceRun } from './advance-run.ts';
import { iterationEnded } from './iterations.ts';
import { leave } from './leave.ts';
import { finishOrRetry } from './retry.ts';
import type { RunChange } from './run-change.ts';
import { needsSlot } from './start-tasks.ts';

/** A running task has ended: it is retried, or the run continues with the tasks that depend on it. */
export async function endTask(change: RunChange, task: TaskRun, ending: Ending): Promise<void> {
  if (needsSlot(task)) await leave(change, task);
  const ended = await finishOrRetry(change, task, ending);
  if (ended) await followEnd(change, ended);
}

/** Continues the run after the end of a task or of an iteration. */
export async function followEnd(change: RunChange, ended: TaskRun): Promise<void> {
  const over = ended.iteration ? await iterationEnded(change, ended) : ended;
  if (!over) return;
  const keys = change.dependantsOf(over.key).map(({ task_key }) => task_key);
  const behind = await change.newest(keys);
  await advanceRun(
    change,
    [...behind.values()].filter(({ state }) => state === 'BLOCKED'),
  );
}
