import type { Tx } from '../../../../kernel/store/index.ts';
import { handleWork } from '../../../../kernel/work/index.ts';
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

/** The time of a task has come: it ends, is tried again, or has run for too long. */
export const taskIsDue = handleWork(TASK_DUE, async (item, jar: PlatformJar) => {
  await jar.taskImages.refresh();
  await jar.store.transact(async (tx) => {
    const { key } = item.payload;
    const [workspaceId, id] = readRunKey(key);
    // The document of the run is held before that of the task is read.
    const runId = item.payload.runId ?? (await tx.get(taskRuns, key, 'none'))?.value.runId;
    const change = runId === undefined ? undefined : await RunChange.load(tx, jar, workspaceId, runId);
    const task = change && (await change.task(id));
    const next = task && (await moveTask(change, task));
    await change?.save();
    if (next === undefined) await tx.complete(item);
    else await tx.schedule(taskDue(key, next, runId));
  });
});

/** Gives the time at which to look again. */
async function moveTask(change: RunChange, task: TaskRun): Promise<number | undefined> {
  const { now } = change;
  if (task.state === 'WAITING') {
    if (task.waitsFrom !== undefined && task.waitsFrom > now) return task.waitsFrom;
    for (const ended of await startTasks(change, [task])) await followEnd(change, ended);
    // A started task of this very key may have its next time in the store already.
    const after = await change.task(task.id);
    return after && dueOf(change, after);
  }
  if (task.state === 'PENDING' && task.execution?.by === 'container') await stopWithCluster(change, task);
  if (task.state === 'PENDING') return startLater(change, task);
  if (task.state !== 'RUNNING') return undefined;
  const { execution } = task;
  if (execution === undefined) {
    const ended = await BEGINNINGS[TASK_KINDS[task.kind]]?.(change, task);
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
      // Its output is written, and the task ended, by work of its own.
      const room = roomRunKey(task.cleanRoom, task.workspaceId, task.id);
      await change.tx.schedule(FINISH_NOTEBOOK.at(now, { key: room }, finishId(room)));
      return undefined;
    }
    const problem = exitCode === 0 ? await runSql(change, task) : await failureOf(change.tx, task, exitCode);
    if (typeof problem === 'number') {
      // Its warehouse does not run yet.
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

/** Of tasks that go on by something else: what they begin. */
const BEGINNINGS: Readonly<
  Partial<Record<string, (change: RunChange, task: TaskRun) => Promise<TaskRun | undefined>>>
> = { forEach: startIterations, run: startOtherRun, update: startPipeline };

/** A container whose cluster is gone is told to end; the task ends once it has. */
async function stopWithCluster(change: RunChange, task: TaskRun): Promise<void> {
  const lost = await clusterLost(change, task);
  if (!lost) return;
  change.put({ ...task, state: 'TERMINATING', ends: lost });
  await change.tx.wake(syncTask(runKey(task.workspaceId, task.id), change.now));
}

/** A task that goes on by others, another run or iterations, has used up its time: these end, and the task as timed out. */
async function timeOut(change: RunChange, task: TaskRun): Promise<number | undefined> {
  const deadline = deadlineOf(change, task);
  if (deadline === undefined || deadline > change.now) return deadline;
  await stopInner(change, task, TIMED_OUT);
  await endTask(change, task, TIMED_OUT);
  return undefined;
}

const TIMED_OUT: Ending = { outcome: 'TIMEDOUT', message: 'Timed out' };

/** A task waits for its cluster or its repository: it starts, waits further, or ends since its time or its cluster is gone. */
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

/** When something is to be done about a task by the clock. */
function dueOf(change: RunChange, task: TaskRun): number | undefined {
  if (task.state === 'WAITING') return task.waitsFrom;
  if (task.state === 'PENDING' && !task.execution) return waitsUntil(change, task);
  if (task.state !== 'RUNNING') return undefined;
  // A for-each task, or one that runs another job or a pipeline: what it begins, it begins in a transaction of its own.
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

/** A run has used up its time, or has been in the queue for too long. */
export const runIsDue = handleWork(RUN_DUE, async (item, jar: PlatformJar) => {
  await jar.store.transact(async (tx) => {
    // First, since the end of a run cancels this item.
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
