import type { Ending } from '../run.ts';
import type { TaskRun } from '../task-run.ts';
import { endRun } from './end-run.ts';
import { finishTask } from './finish-task.ts';
import { readinessOf } from './graph.ts';
import type { RunChange } from './run-change.ts';
import { startTasks } from './start-tasks.ts';

const LEFT_OUT: Ending = { outcome: 'SKIPPED', message: 'The task was not selected for this run.' };

const UNMET: Readonly<Partial<Record<string, string>>> = {
  UPSTREAM_FAILED: 'An upstream task failed.',
  UPSTREAM_CANCELED: 'An upstream task was canceled.',
  EXCLUDED: 'The task was excluded: its run_if or the outcome of a condition did not hold.',
  DISABLED: 'The task is disabled.',
};

/**
 * Starts each of these blocked tasks that may start, ends those that never will, and continues with the tasks that depend on them, until
 * every remaining task waits or the run has ended.
 */
export async function advanceRun(
  change: RunChange,
  blocked: readonly TaskRun[],
  leftOut: readonly TaskRun[] = [],
): Promise<void> {
  let ended: TaskRun[] = [];
  for (const task of leftOut) ended.push(await finishTask(change, task, LEFT_OUT));
  let candidates: readonly TaskRun[] = blocked;
  for (;;) {
    const ready: TaskRun[] = [];
    const before = candidates.flatMap((task) =>
      (change.settingsOf(task).depends_on ?? []).map(({ task_key }) => task_key),
    );
    const upstream = await change.newest([...new Set(before)]);
    for (const task of candidates) {
      const readiness = readinessOf(change.settingsOf(task), upstream);
      if (readiness.is === 'run') ready.push(task);
      if (readiness.is !== 'end') continue;
      const { outcome } = readiness;
      ended.push(await finishTask(change, task, { outcome, message: UNMET[outcome] ?? '' }));
    }
    ended.push(...(await startTasks(change, ready)));
    if (ended.length === 0) break;
    candidates = await blockedBehind(change, ended);
    ended = [];
  }
  if (change.run.open === 0 && change.run.state !== 'TERMINATED') await endRun(change);
}

async function blockedBehind(change: RunChange, ended: readonly TaskRun[]): Promise<readonly TaskRun[]> {
  const keys = new Set(ended.flatMap(({ key }) => change.dependantsOf(key).map(({ task_key }) => task_key)));
  const found = await change.newest([...keys]);
  return [...found.values()].filter(({ state }) => state === 'BLOCKED');
}
