import { SECOND_MS } from '../../../../kernel/time/index.ts';
import { leaveCleanRoom } from '../../clean-rooms/running/leave.ts';
import { runKey } from '../collections.ts';
import { notifyRun } from '../notifications/notify.ts';
import type { Ending } from '../run.ts';
import type { TaskRun } from '../task-run.ts';
import { finishTask } from './finish-task.ts';
import { newTask } from './new-task.ts';
import type { RunChange } from './run-change.ts';
import { taskDue } from './work.ts';

/** Called when an attempt has ended and its task slot is released. Returns the task if it has ended; returns undefined if it is retried. */
export async function finishOrRetry(change: RunChange, task: TaskRun, ending: Ending): Promise<TaskRun | undefined> {
  if (!mayRetry(change, task, ending)) return finishTask(change, task, ending);
  await retry(change, task, ending);
  return undefined;
}

function mayRetry(change: RunChange, task: TaskRun, { outcome }: Ending): boolean {
  // A container that was asked to stop is not retried, unless it was stopped because its cluster was lost.
  if (change.run.ends || (task.state === 'TERMINATING' && !task.ends)) return false;
  const { max_retries: most = 0, retry_on_timeout: onTimeout = false } = change.settingsFor(task);
  if (outcome !== 'FAILED' && outcome !== 'INTERNAL_ERROR' && !(outcome === 'TIMEDOUT' && onTimeout)) return false;
  return most < 0 || attemptsInRepair(task) < most || goesOnWithOthers(change);
}

/** `task_retry_mode: ON_FAILURE` of a continuous job: a task is retried for as long as another task of the run is active. */
const goesOnWithOthers = ({ run, plan }: RunChange): boolean =>
  run.trigger === 'CONTINUOUS' && plan.continuous?.task_retry_mode === 'ON_FAILURE' && run.open > 1;

/** A repair resets the count; `attempt` includes the attempts before it. */
const attemptsInRepair = ({ attempt, retries }: TaskRun): number => retries ?? attempt;

const QUICK_RETRIES = 10;
const LATER_RETRIES_MS = 10 * SECOND_MS;

/** Start of the next attempt. `min_retry_interval_millis` counts from the start of the attempt that failed. */
function nextAttemptAt(change: RunChange, task: TaskRun): number {
  const { min_retry_interval_millis: asked = 0 } = change.settingsFor(task);
  // Without a delay, a program that fails immediately and has unlimited retries would be retried endlessly at one instant.
  const least = attemptsInRepair(task) < QUICK_RETRIES ? 0 : LATER_RETRIES_MS;
  return Math.max(change.now, (task.startedAt ?? task.createdAt) + Math.max(asked, least));
}

async function retry(change: RunChange, task: TaskRun, ending: Ending): Promise<void> {
  const { now } = change;
  const settings = change.settingsFor(task);
  const failed = change.put({ ...task, state: 'TERMINATED', ending, endedAt: now, isSuperseded: true });
  await leaveCleanRoom(change, task, ending);
  const about = { task: failed, settings, isLastAttempt: false };
  await notifyRun(change.tx, change.jar, change.run, change.plan, 'on_failure', about);
  const waitsFrom = nextAttemptAt(change, task);
  const { attempt, originalId, repairId, iteration } = task;
  const origin = {
    attempt: attempt + 1,
    originalId,
    after: task.id,
    ...(repairId !== undefined && { repairId }),
    ...(iteration && { iteration }),
  };
  const next = change.put({
    ...newTask(change, settings, origin),
    key: task.key,
    state: 'WAITING',
    waitsFrom,
    retries: attemptsInRepair(task) + 1,
  });
  await change.tx.schedule(taskDue(runKey(task.workspaceId, next.id), waitsFrom, task.runId));
}
