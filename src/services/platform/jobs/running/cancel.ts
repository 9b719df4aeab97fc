import type { Tx } from '../../../../kernel/store/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { runKey } from '../collections.ts';
import type { Ending, Run } from '../run.ts';
import type { TaskRun } from '../task-run.ts';
import { endRun } from './end-run.ts';
import { finishTask } from './finish-task.ts';
import { leave } from './leave.ts';
import { RunChange } from './run-change.ts';
import { needsSlot } from './start-tasks.ts';
import { stopPipelineUpdate } from './stop-pipeline.ts';
import { syncTask, taskDue } from './work.ts';

/** Ends a run early. Simulated tasks end immediately, containers once the engine has stopped them; the run ends with the last task. */
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
      for (const each of await change.iterationsOf(task.id)) await endNow(change, each, ends);
  }
  for (const task of tasks) await endNow(change, task, ends);
  if (change.run.open === 0) await endRun(change, ends);
  await change.save();
}

/** Ends what a task waits for: another run, or its iterations. The caller ends the task itself. */
export async function stopInner(change: RunChange, task: TaskRun, { message }: Ending): Promise<void> {
  const ends = { outcome: 'CANCELED', message } as const;
  const { execution } = task;
  if (execution?.by === 'iterations')
    for (const each of await change.iterationsOf(task.id)) await endNow(change, each, ends);
  if (execution?.by === 'run') await cancelOther(change, execution.runId, ends);
  if (execution?.by === 'update') await stopPipelineUpdate(change, execution);
}

async function cancelOther({ tx, jar, run }: RunChange, id: string, ends: NonNullable<Run['ends']>): Promise<void> {
  const other = await RunChange.load(tx, jar, run.workspaceId, id);
  if (other) await cancelRun(tx, jar, other.run, ends);
}

/** Releases the task slot of a running task. A container is only asked to stop. */
async function endNow(change: RunChange, task: TaskRun, ends: NonNullable<Run['ends']>): Promise<void> {
  const { tx, now } = change;
  if (task.state === 'TERMINATED') return;
  const key = runKey(task.workspaceId, task.id);
  const { execution, state } = task;
  if (execution?.by === 'container' && (state === 'RUNNING' || state === 'PENDING' || state === 'TERMINATING')) {
    change.put({ ...task, state: 'TERMINATING' });
    await tx.wake(syncTask(key, now));
    return;
  }
  if (execution?.by === 'iterations') {
    const open = (await change.iterationsOf(task.id)).some((each) => each.state !== 'TERMINATED');
    // Iterations in containers end later, and the task ends with the last iteration.
    if (open)
      return void change.put({
        ...task,
        state: 'TERMINATING',
        execution: { ...execution, open: await openOf(change, task), next: execution.total - execution.carried },
      });
  }
  if (execution?.by === 'run') await cancelOther(change, execution.runId, ends);
  if (execution?.by === 'update') await stopPipelineUpdate(change, execution);
  const isStarted = state === 'RUNNING' || state === 'PENDING';
  if (isStarted && needsSlot(task)) await leave(change, task);
  if (isStarted || state === 'WAITING') await tx.cancel(taskDue(key, 0).id);
  await finishTask(change, task, ends);
}

const openOf = async (change: RunChange, task: TaskRun): Promise<number> =>
  (await change.iterationsOf(task.id)).filter(({ state }) => state !== 'TERMINATED').length;
