import { runKey } from '../collections.ts';
import { notifyRun } from '../notifications/notify.ts';
import { TASK_KINDS } from '../task-kinds.ts';
import type { TaskRun } from '../task-run.ts';
import { decideCondition } from './conditions.ts';
import { finishTask } from './finish-task.ts';
import type { RunChange } from './run-change.ts';
import { startProgram } from './start-program.ts';
import { markSlotsWanted, takeSlots } from './task-slots.ts';
import { fillSlots, taskDue } from './work.ts';

/** Starts tasks whose dependencies are met; tasks without a slot wait. Returns the tasks that ended immediately, such as conditions. */
export async function startTasks(change: RunChange, ready: readonly TaskRun[]): Promise<readonly TaskRun[]> {
  if (ready.length === 0) return [];
  const { tx, jar, now, run } = change;
  if (run.ends) {
    const ended: TaskRun[] = [];
    for (const task of ready) ended.push(await finishTask(change, task, run.ends));
    return ended;
  }
  const programs = ready.filter(needsSlot);
  let room = await takeSlots(tx, jar, run.workspaceId, programs.length);
  const ended: TaskRun[] = [];
  let hasWaiting = false;
  for (const task of ready) {
    if (needsSlot(task)) {
      if (room === 0) {
        change.put({ ...task, state: 'QUEUED', waitsFrom: now });
        hasWaiting = true;
        continue;
      }
      room--;
    }
    const over = await startTask(change, task);
    if (over) ended.push(over);
  }
  if (hasWaiting) await markSlotsWanted(tx, run.workspaceId);
  // A program that could not start released its slot before the waiting tasks were in the store, so nothing has woken them.
  if (hasWaiting && ended.some(needsSlot)) await tx.wake(fillSlots(run.workspaceId, now));
  return ended;
}

/** Conditions, for-each tasks and tasks that run another job run no program themselves. */
export const needsSlot = ({ kind }: Pick<TaskRun, 'kind'>): boolean =>
  TASK_KINDS[kind] === 'program' || TASK_KINDS[kind] === 'update';

/** Starts a task that has its slot. Returns the task if it ends immediately; its slot is then released. */
export async function startTask(change: RunChange, waiting: TaskRun): Promise<TaskRun | undefined> {
  const { waitsFrom: _waitsFrom, ...rest } = waiting;
  const task: TaskRun = { ...rest, state: 'RUNNING', startedAt: change.now };
  change.put(task);
  await notifyStart(change, task);
  switch (TASK_KINDS[task.kind]) {
    case 'condition':
      return decideCondition(change, task);
    case 'forEach':
    case 'run':
    case 'update':
      // The started runs or iterations may start others in turn, so each start has a separate transaction.
      await change.tx.schedule(taskDue(runKey(task.workspaceId, task.id), change.now, task.runId));
      return undefined;
    case 'program':
      return startProgram(change, task);
  }
}

async function notifyStart(change: RunChange, task: TaskRun): Promise<void> {
  const settings = change.settingsFor(task);
  if (!settings.email_notifications && !settings.webhook_notifications) return;
  const about = { task, settings, isLastAttempt: task.attempt === 0 };
  await notifyRun(change.tx, change.jar, change.run, change.plan, 'on_start', about);
}
