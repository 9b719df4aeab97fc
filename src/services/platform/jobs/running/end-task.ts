import { SECOND_MS } from '../../../../kernel/time/index.ts';
import { type Ending, runKey, type TaskRun } from '../collections.ts';
import { notifyRun } from '../notifications/notify.ts';
import { finishTask } from './finish-task.ts';
import { goOn } from './go-on.ts';
import { iterationEnded } from './iterations.ts';
import { leave } from './leave.ts';
import { newTask } from './new-task.ts';
import type { RunChange } from './run-change.ts';
import { needsRoom } from './start-tasks.ts';
import { taskDue } from './work.ts';

/** A task that was running has come to an end: it is tried again, or the run goes on with what follows. */
export async function endTask(change: RunChange, task: TaskRun, ending: Ending): Promise<void> {
  if (needsRoom(task)) await leave(change, task);
  if (mayRetry(change, task, ending)) return retry(change, task, ending);
  const ended = await finishTask(change, task, ending);
  await followEnd(change, ended);
}

/** What follows from the end of a task, or of an iteration of one. */
export async function followEnd(change: RunChange, ended: TaskRun): Promise<void> {
  const over = ended.iteration ? await iterationEnded(change, ended) : ended;
  if (!over) return;
  const keys = change.dependantsOf(over.key).map(({ task_key }) => task_key);
  const behind = await change.newest(keys);
  await goOn(
    change,
    [...behind.values()].filter(({ state }) => state === 'BLOCKED'),
  );
}

function mayRetry(change: RunChange, task: TaskRun, { outcome }: Ending): boolean {
  if (change.run.ends) return false;
  const { max_retries: most = 0, retry_on_timeout: onTimeout = false } = change.settingsFor(task);
  if (outcome !== 'FAILED' && outcome !== 'INTERNAL_ERROR' && !(outcome === 'TIMEDOUT' && onTimeout)) return false;
  return most < 0 || attemptsInRepair(task) < most;
}

/** A repair begins the count anew; the attempts before it are in `attempt`. */
const attemptsInRepair = ({ attempt, retries }: TaskRun): number => retries ?? attempt;

const QUICK_RETRIES = 10;
const LATER_RETRIES_MS = 10 * SECOND_MS;

/** A program that fails at once and is tried for ever would be tried without end at one instant: after some attempts, the next ones are that far apart. */
const earliestRetry = (task: TaskRun): number =>
  attemptsInRepair(task) < QUICK_RETRIES ? 0 : (task.startedAt ?? task.createdAt) + LATER_RETRIES_MS;

async function retry(change: RunChange, task: TaskRun, ending: Ending): Promise<void> {
  const { now } = change;
  const settings = change.settingsFor(task);
  const failed = change.put({ ...task, state: 'TERMINATED', ending, endedAt: now, isSuperseded: true });
  const about = { task: failed, settings, isLastAttempt: false };
  await notifyRun(change.tx, change.jar, change.run, change.plan, 'on_failure', about);
  const waitsFrom = Math.max(now + (settings.min_retry_interval_millis ?? 0), earliestRetry(task));
  const { attempt, originalId, repairId, iteration } = task;
  const origin = {
    attempt: attempt + 1,
    originalId,
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
