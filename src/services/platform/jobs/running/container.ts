import {
  type ContainerStatus,
  type ContainerTarget,
  EngineUnavailable,
  type GroupPlan,
} from '../../../../kernel/engines/index.ts';
import type { WorkItem } from '../../../../kernel/store/index.ts';
import { settle, workHandler } from '../../../../kernel/work/index.ts';
import { programPlan } from '../../compute/program-plan.ts';
import type { PlatformJar } from '../../jar.ts';
import { runKey, taskOutputs, taskRuns } from '../collections.ts';
import type { Ending } from '../run.ts';
import type { TaskRun } from '../task-run.ts';
import { type TaskContainer, taskContainers } from './container-collections.ts';
import { endTask } from './end-task.ts';
import { lastLine, MOST_OUTPUT_CHARACTERS, readOutput } from './output.ts';
import type { Program } from './program.ts';
import { RunChange } from './run-change.ts';
import { deadlineOf } from './start-program.ts';
import { SYNC_TASK } from './work.ts';

/** Interval between attempts to reach an engine that does not respond. */
const ENGINE_AWAY_MS = 5000;
/** Fallback interval; reports of the engine wake the task sooner. */
const LOOK_AGAIN_MS = 60_000;
const NAME = 'task';
const CAME_WITHOUT_PROGRAM =
  'The snapshot file that this jar was restored from does not contain the program of the task';

/** Synchronises a task with its container: starts it, notices its end, stops it, and removes it. */
export const syncContainer = workHandler(SYNC_TASK, async (item, jar: PlatformJar, halt) => {
  const { key } = item.payload;
  await jar.taskImages.refresh();
  const container = (await jar.store.get(taskContainers, key))?.value;
  const task = (await jar.store.get(taskRuns, key))?.value;
  if (!container) return failWithoutProgram(jar, item);
  if (!task || task.state === 'TERMINATED') {
    await jar.engine.remove(container.uid);
    await jar.store.transact((tx) => tx.delete(taskContainers, key));
    return finish(jar, item);
  }
  let again: number | undefined;
  try {
    again = await syncOnce(jar, key, task, container, halt);
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error;
    jar.log.warn({ err: error, task: task.id }, 'the container engine does not respond; the task is checked again');
    again = jar.clock.now() + ENGINE_AWAY_MS;
  }
  await settle(jar.store, item, async () => again);
});

/**
 * Ends a task without a stored program, restored from a portable snapshot: a program may contain secrets, and a portable snapshot contains
 * none.
 */
const failWithoutProgram = (jar: PlatformJar, item: WorkItem<{ readonly key: string }>): Promise<void> =>
  jar.store.transact(async (tx) => {
    const task = (await tx.get(taskRuns, item.payload.key))?.value;
    const change = task && (await RunChange.load(tx, jar, task.workspaceId, task.runId));
    const current = task && (await change?.task(task.id));
    if (change && current?.execution?.by === 'container' && current.state !== 'TERMINATED') {
      await endTask(change, current, { outcome: 'INTERNAL_ERROR', message: CAME_WITHOUT_PROGRAM });
      await change.save();
    }
    await tx.complete(item);
  });

const finish = (jar: PlatformJar, item: WorkItem<{ readonly key: string }>): Promise<void> =>
  jar.store.transact((tx) => tx.complete(item));

async function syncOnce(
  jar: PlatformJar,
  key: string,
  task: TaskRun,
  container: TaskContainer,
  halt: AbortSignal,
): Promise<number | undefined> {
  const { clock, engine, store } = jar;
  const deadline = await store.transact(async (tx) => {
    const change = await RunChange.load(tx, jar, task.workspaceId, task.runId);
    return change && deadlineOf(change, task);
  });
  const isLate = deadline !== undefined && deadline <= clock.now();
  const result = await engine.sync({
    plan: planOf(jar, task, container),
    wanted: task.state === 'TERMINATING' || isLate ? 'Stopped' : 'Running',
    generation: 1,
    keepSandbox: false,
    status: container.status,
    now: () => clock.now(),
    save: async (status) => {
      await store.transact((tx) => tx.put(taskContainers, key, { ...container, status }));
      return true;
    },
    keepLog: async (_name, text) => {
      const { output } = readOutput(text.toString('utf8'), programIn(jar, container).hidden);
      await store.transact((tx) => tx.put(taskOutputs, key, output));
    },
    halt,
  });
  const [status] = result.status.containers;
  const text = status && hasOutput(status) ? await logOf(jar, container, status) : undefined;
  const { hidden } = text === undefined ? {} : programIn(jar, container);
  return store.transact(async (tx) => {
    await tx.put(taskContainers, key, { ...container, status: result.status });
    const change = await RunChange.load(tx, jar, task.workspaceId, task.runId);
    const current = await change?.task(task.id);
    if (!change || !current || current.state === 'TERMINATED') return clock.now();
    const ended = await applyState(change, current, status, { text, isLate, hidden });
    await change.save();
    // Runs once more to remove the container.
    if (ended) return clock.now();
    const times = [result.again, deadline, clock.now() + LOOK_AGAIN_MS].filter((time) => time !== undefined);
    return Math.min(...times);
  });
}

const hasOutput = ({ current }: ContainerStatus): boolean => current.kind === 'Terminated';

async function logOf({ engine, log }: PlatformJar, { uid }: TaskContainer, status: ContainerStatus): Promise<string> {
  const target: ContainerTarget = { uid, container: NAME, engineId: status.engineId ?? '' };
  try {
    return (await engine.logs(target, { timestamps: false, maxBytes: MOST_OUTPUT_CHARACTERS + 1 })).toString('utf8');
  } catch (error) {
    log.warn({ err: error }, 'the output of a task could not be read');
    return '';
  }
}

interface Seen {
  readonly text: string | undefined;
  readonly isLate: boolean;
  readonly hidden: readonly string[] | undefined;
}

/** Applies the state of the container to the task. Returns true once the task has ended. */
async function applyState(
  change: RunChange,
  task: TaskRun,
  status: ContainerStatus | undefined,
  seen: Seen,
): Promise<boolean> {
  const { current } = status ?? {};
  if (current?.kind === 'Running' && task.state === 'PENDING') {
    const began = task.readyAt === undefined ? { startedAt: current.startedAt } : { readyAt: current.startedAt };
    change.put({ ...task, state: 'RUNNING', ...began });
    return false;
  }
  if (current?.kind === 'Terminated') {
    const { output, values } = readOutput(seen.text ?? '', seen.hidden);
    const ending = endingOf(change, task, current.exitCode, lastLine(output.log), seen.isLate);
    const isFailed = ending.outcome !== 'SUCCESS';
    await change.tx.put(taskOutputs, runKey(task.workspaceId, task.id), {
      ...output,
      ...(isFailed && { error: ending.message }),
    });
    await endTask(change, { ...task, ...(values && { values }) }, ending);
    return true;
  }
  const isStopped = task.state === 'TERMINATING' && (!current || current.kind === 'Waiting');
  if (!isStopped && !seen.isLate) return false;
  await endTask(change, task, endingOf(change, task, 1, '', seen.isLate));
  return true;
}

function endingOf({ run }: RunChange, { ends }: TaskRun, exitCode: number, said: string, isLate: boolean): Ending {
  if (run.ends) return run.ends;
  if (ends) return ends;
  if (isLate) return { outcome: 'TIMEDOUT', message: 'Timed out' };
  if (exitCode === 0) return { outcome: 'SUCCESS', message: '' };
  return { outcome: 'FAILED', message: said === '' ? `The program ended with exit code ${exitCode}` : said };
}

const programIn = ({ vault }: PlatformJar, { sealed }: TaskContainer): Program => JSON.parse(vault.open(sealed));

function planOf(jar: PlatformJar, task: TaskRun, container: TaskContainer): GroupPlan {
  const { uid, image } = container;
  return programPlan({
    ...programIn(jar, container),
    uid,
    resourceId: `/runs/${task.runId}/tasks/${task.id}`,
    name: `run-${task.id}`,
    container: NAME,
    image,
  });
}
