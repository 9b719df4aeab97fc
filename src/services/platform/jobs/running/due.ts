import type { Tx } from '../../../../kernel/store/index.ts';
import { workHandler } from '../../../../kernel/work/index.ts';
import { roomRunKey } from '../../clean-rooms/collections.ts';
import { FINISH_NOTEBOOK, finishId } from '../../clean-rooms/work.ts';
import type { PlatformJar } from '../../jar.ts';
import { runSql } from '../../sql/tasks/run.ts';
import { readRunKey, runKey, runs, taskOutputs, taskRuns } from '../collections.ts';
import type { Ending } from '../run.ts';
import { TASK_KINDS } from '../task-kinds.ts';
import type { TaskRun } from '../task-run.ts';
import { cancelRun, stopInner } from './cancel.ts';
import { clusterLost } from './clusters.ts';
import { endRun } from './end-run.ts';
import { endTask, followEnd } from './end-task.ts';
import { startIterations } from './iterations.ts';
import { lastLine } from './output.ts';
import { RunChange } from './run-change.ts';
import { endingBy, startOtherRun } from './run-job.ts';
import { endingOfUpdate, startPipeline } from './run-pipeline.ts';
import { deadlineOf, startProgram, waitsUntil } from './start-program.ts';
import { startTasks } from './start-tasks.ts';
import { RUN_DUE, syncTask, TASK_DUE, taskDue } from './work.ts';

/** A task is due: it ends, is retried, or has timed out. */
export const taskIsDue = workHandler(TASK_DUE, async (item, jar: PlatformJar) => {
  await jar.taskImages.refresh();
  await jar.store.transact(async (tx) => {
    const { key } = item.payload;
    const [workspaceId, id] = readRunKey(key);
    // Lock order: the document of the run before that of the task.
    const runId = item.payload.runId ?? (await tx.get(taskRuns, key, 'none'))?.value.runId;
    const change = runId === undefined ? undefined : await RunChange.load(tx, jar, workspaceId, runId);
    const task = change && (await change.task(id));
    const next = task && (await moveTask(change, task));
    await change?.save();
    if (next === undefined) await tx.complete(item);
    else await tx.schedule(taskDue(key, next, runId));
  });
});

/** Returns the time of the next check. */
async function moveTask(change: RunChange, task: TaskRun): Promise<number | undefined> {
  const { now } = change;
  if (task.state === 'WAITING') {
    if (task.waitsFrom !== undefined && task.waitsFrom > now) return task.waitsFrom;
    for (const ended of await startTasks(change, [task])) await followEnd(change, ended);
    // The stored item of this key may already hold the next time of the started task.
    const after = await change.task(task.id);
    return after && dueOf(change, after);
  }
  if (task.state === 'PENDING' && task.execution?.by === 'container') await stopWithCluster(change, task);
  if (task.state === 'PENDING') return startLater(change, task);
  if (task.state !== 'RUNNING') return undefined;
  const { execution } = task;
  if (execution === undefined) {
    const ended = await STARTERS[TASK_KINDS[task.kind]]?.(change, task);
    if (ended) await followEnd(change, ended);
    const after = await change.task(task.id);
    return after?.state === 'RUNNING' ? deadlineOf(change, after) : undefined;
  }
  if (execution.by === 'run') {
    const other = (await change.tx.get(runs, runKey(task.workspaceId, execution.runId), 'none'))?.value;
    if (other?.state === 'TERMINATED') await endTask(change, task, endingBy(other.ending));
    else return timeOut(change, task);
    return undefined;
  }
  if (execution.by === 'update') {
    const ending = await endingOfUpdate(change, task, execution);
    if (!ending) return timeOut(change, task);
    await endTask(change, task, ending);
    return undefined;
  }
  if (execution.by === 'iterations') return timeOut(change, task);
  if (execution.by === 'container') await stopWithCluster(change, task);
  if (execution.by !== 'simulation') return undefined;
  const { endsAt, exitCode } = execution;
  const deadline = deadlineOf(change, task);
  if (endsAt !== undefined && endsAt <= now && (deadline === undefined || endsAt <= deadline)) {
    if (exitCode === 0 && task.cleanRoom !== undefined) {
      // Separate work writes its output and ends the task.
      const room = roomRunKey(task.cleanRoom, task.workspaceId, task.id);
      await change.tx.schedule(FINISH_NOTEBOOK.at(now, { key: room }, finishId(room)));
      return undefined;
    }
    const problem = exitCode === 0 ? await runSql(change, task) : await failureOf(change.tx, task, exitCode);
    if (typeof problem === 'number') {
      // A number: its warehouse is not running yet.
      if (deadline === undefined || deadline > now) return Math.min(problem, deadline ?? problem);
      await endTask(change, task, TIMED_OUT);
      return undefined;
    }
    await endTask(change, task, { outcome: problem === undefined ? 'SUCCESS' : 'FAILED', message: problem ?? '' });
  } else if (deadline !== undefined && deadline <= now) {
    await endTask(change, task, TIMED_OUT);
  } else {
    const lost = task.cluster && (await clusterLost(change, task));
    if (!lost) return dueOf(change, task);
    await endTask(change, task, lost);
  }
  return undefined;
}

/** Starts for tasks that wait for something else: iterations, a run or an update. */
const STARTERS: Readonly<Partial<Record<string, (change: RunChange, task: TaskRun) => Promise<TaskRun | undefined>>>> =
  { forEach: startIterations, run: startOtherRun, update: startPipeline };

/** Asks a container to stop if its cluster is gone; the task ends once the container has stopped. */
async function stopWithCluster(change: RunChange, task: TaskRun): Promise<void> {
  const lost = await clusterLost(change, task);
  if (!lost) return;
  change.put({ ...task, state: 'TERMINATING', ends: lost });
  await change.tx.wake(syncTask(runKey(task.workspaceId, task.id), change.now));
}

/** If a task that waits for a run, an update or iterations has timed out, ends both these and the task. */
async function timeOut(change: RunChange, task: TaskRun): Promise<number | undefined> {
  const deadline = deadlineOf(change, task);
  if (deadline === undefined || deadline > change.now) return deadline;
  await stopInner(change, task, TIMED_OUT);
  await endTask(change, task, TIMED_OUT);
  return undefined;
}

const TIMED_OUT: Ending = { outcome: 'TIMEDOUT', message: 'Timed out' };

/** A task that waits for its cluster or its repository starts, waits longer, or ends because it has timed out or its cluster is gone. */
async function startLater(change: RunChange, task: TaskRun): Promise<number | undefined> {
  if (task.execution) return undefined;
  const deadline = deadlineOf(change, task);
  if (deadline !== undefined && deadline <= change.now) {
    await endTask(change, task, TIMED_OUT);
    return undefined;
  }
  const ended = await startProgram(change, task);
  if (ended) await followEnd(change, ended);
  const after = await change.task(task.id);
  return after && dueOf(change, after);
}

/** The time at which a task is due next; undefined if no time is known. */
function dueOf(change: RunChange, task: TaskRun): number | undefined {
  if (task.state === 'WAITING') return task.waitsFrom;
  if (task.state === 'PENDING' && !task.execution) return waitsUntil(change, task);
  if (task.state !== 'RUNNING') return undefined;
  // A for-each task, or a task that runs another job or a pipeline, starts these in a separate transaction.
  if (task.execution === undefined) return change.now;
  if (task.execution.by !== 'simulation') return undefined;
  const times = [task.execution.endsAt, deadlineOf(change, task)].filter((time) => time !== undefined);
  return times.length === 0 ? undefined : Math.min(...times);
}

async function failureOf(tx: Tx, { workspaceId, id }: TaskRun, exitCode: number): Promise<string> {
  const output = (await tx.get(taskOutputs, runKey(workspaceId, id), 'none'))?.value;
  const said = output?.error ?? lastLine(output?.log ?? '');
  return said === '' ? `The program ended with exit code ${exitCode}` : said;
}

/** A run has timed out, or has waited in the queue for too long. */
export const runIsDue = workHandler(RUN_DUE, async (item, jar: PlatformJar) => {
  await jar.store.transact(async (tx) => {
    // Completed first, because the end of a run cancels this item.
    await tx.complete(item);
    const run = (await tx.get(runs, item.payload.key))?.value;
    if (run?.state === 'QUEUED') {
      const change = await RunChange.load(tx, jar, run.workspaceId, run.id);
      if (change) {
        change.changeRun({ startedAt: change.now });
        await endRunInQueue(change);
        await change.save();
      }
    } else if (run && run.state !== 'TERMINATED') {
      await cancelRun(tx, jar, run, { outcome: 'TIMEDOUT', message: 'Run timed out.' });
    }
  });
});

const endRunInQueue = (change: RunChange): Promise<void> =>
  endRun(change, { outcome: 'SKIPPED', message: 'Skipped: the run waited in the queue for 48 hours.' });
