import type { Tx } from '../../../../kernel/store/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { type Run, runKey, type TaskRun } from '../collections.ts';
import { endRun } from './end-run.ts';
import { finishTask } from './finish-task.ts';
import { leave } from './leave.ts';
import { RunChange } from './run-change.ts';
import { needsRoom } from './start-tasks.ts';
import { syncTask, taskDue } from './work.ts';

/** Ends a run before its time. Simulated tasks end at once, containers as soon as the engine has stopped them; the run ends with the last. */
export async function cancelRun(
  tx: Tx,
  jar: PlatformJar,
  { workspaceId, id }: Run,
  ends: NonNullable<Run['ends']>,
): Promise<void> {
  const change = await RunChange.load(tx, jar, workspaceId, id);
  if (!change || change.run.state === 'TERMINATED' || change.run.ends) return;
  change.changeRun({ ends, state: change.run.state === 'QUEUED' ? 'QUEUED' : 'TERMINATING' });
  const tasks = [...(await change.all()).values()];
  for (const task of tasks) {
    if (task.execution?.by === 'iterations')
      for (const each of await change.iterationsOf(task.id)) await endNow(change, each);
  }
  for (const task of tasks) await endNow(change, task);
  if (change.run.open === 0) await endRun(change, ends);
  await change.save();
}

/** Gives the room of a running one back. A container is only told to end. */
async function endNow(change: RunChange, task: TaskRun): Promise<void> {
  const { tx, jar, now, run } = change;
  if (task.state === 'TERMINATED' || !run.ends) return;
  const key = runKey(task.workspaceId, task.id);
  const { execution, state } = task;
  if (execution?.by === 'container' && (state === 'RUNNING' || state === 'PENDING' || state === 'TERMINATING')) {
    change.put({ ...task, state: 'TERMINATING' });
    await tx.wake(syncTask(key, now));
    return;
  }
  if (execution?.by === 'iterations') {
    const open = (await change.iterationsOf(task.id)).some((each) => each.state !== 'TERMINATED');
    // Containers among its iterations end later, and the task with the last of them.
    if (open)
      return void change.put({
        ...task,
        state: 'TERMINATING',
        execution: { ...execution, open: await openOf(change, task), next: execution.total },
      });
  }
  if (execution?.by === 'run') {
    const other = await RunChange.load(tx, jar, task.workspaceId, execution.runId);
    if (other) await cancelRun(tx, jar, other.run, run.ends);
  }
  const isStarted = state === 'RUNNING' || state === 'PENDING';
  if (isStarted && needsRoom(task)) await leave(change, task);
  if (isStarted || state === 'WAITING') await tx.cancel(taskDue(key, 0).id);
  await finishTask(change, task, run.ends);
}

const openOf = async (change: RunChange, task: TaskRun): Promise<number> =>
  (await change.iterationsOf(task.id)).filter(({ state }) => state !== 'TERMINATED').length;
