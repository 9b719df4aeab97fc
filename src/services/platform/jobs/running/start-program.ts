import { NO_STATUS, simulate } from '../../../../kernel/engines/index.ts';
import { uuid } from '../../../../kernel/ids/index.ts';
import { SECOND_MS } from '../../../../kernel/time/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { enterCleanRoom } from '../../clean-rooms/running/enter.ts';
import { runKey, taskNotebooks, taskOutputs } from '../collections.ts';
import type { Ending } from '../run.ts';
import type { TaskOutput, TaskRun } from '../task-run.ts';
import { type BuiltProgram, buildProgram } from './build-program.ts';
import { isFromGit } from './check-out-plan.ts';
import { findPlace, LOOK_AGAIN_MS, namesCluster } from './clusters.ts';
import { taskContainers } from './container-collections.ts';
import { noteError } from './finish-task.ts';
import { leave } from './leave.ts';
import { lastLine, MOST_OUTPUT_CHARACTERS, readOutput } from './output.ts';
import type { Program } from './program.ts';
import { finishOrRetry } from './retry.ts';
import type { RunChange } from './run-change.ts';
import { withServerless } from './serverless.ts';
import { syncTask, taskDue } from './work.ts';

/** Starts the program of a task, once its cluster, if any, is running. Returns the task if it cannot start. */
export async function startProgram(change: RunChange, task: TaskRun): Promise<TaskRun | undefined> {
  if (task.kind !== 'clean_rooms_notebook_task') return startPlaced(change, task);
  const entered = await enterCleanRoom(change, task);
  if ('outcome' in entered) return refuse(change, task, entered);
  return entered.waits ? waitFor(change, entered.task) : startPlaced(change, entered.task);
}

async function startPlaced(change: RunChange, task: TaskRun): Promise<TaskRun | undefined> {
  const settings = change.settingsFor(task);
  if (isFromGit(settings) && !change.run.git) return waitFor(change, task);
  if (!namesCluster(settings)) {
    const placed = await withServerless(change, task);
    if ('outcome' in placed) return refuse(change, task, placed);
    return runProgram(change, { ...placed, state: 'RUNNING' });
  }
  const place = await findPlace(change, task);
  if ('problem' in place) return refuse(change, task, place.problem);
  if (place.isReady) return runProgram(change, place.task);
  return waitFor(change, place.task);
}

async function waitFor(change: RunChange, task: TaskRun): Promise<undefined> {
  const waiting = change.put({ ...task, state: 'PENDING' });
  await change.tx.schedule(taskDue(runKey(task.workspaceId, task.id), waitsUntil(change, waiting), task.runId));
  return undefined;
}

/** The next check of a task that waits for its cluster, its repository or its clean room, unless one of these wakes it sooner. */
export const waitsUntil = (change: RunChange, task: TaskRun): number =>
  Math.min(change.now + LOOK_AGAIN_MS, deadlineOf(change, task) ?? Number.POSITIVE_INFINITY);

async function refuse(change: RunChange, task: TaskRun, ending: Ending): Promise<TaskRun | undefined> {
  await noteError(change, task, ending.message);
  await leave(change, task);
  return finishOrRetry(change, task, ending);
}

/** Runs in a container if an image is available, otherwise simulated. */
async function runProgram(change: RunChange, task: TaskRun): Promise<TaskRun | undefined> {
  const { tx, jar } = change;
  const { resolved, ...built } = await buildProgram(change, task);
  const started: TaskRun = { ...task, resolved };
  if ('problem' in built) {
    const code = built.code === undefined ? {} : { code: built.code };
    return refuse(change, started, { outcome: 'INTERNAL_ERROR', message: built.problem, ...code });
  }
  if (built.notebook) await tx.put(taskNotebooks, runKey(task.workspaceId, task.id), built.notebook);
  // Notebooks of clean rooms never run in a container.
  const image = task.cleanRoom === undefined ? jar.taskImages.imageFor(built.program.needs, built.image) : undefined;
  if (image === undefined) return startSimulation(change, started, built);
  const uid = uuid();
  const key = runKey(task.workspaceId, task.id);
  const sealed = jar.vault.seal(JSON.stringify(built.program));
  await tx.put(taskContainers, key, { uid, image, engine: jar.engine.name, sealed, status: NO_STATUS });
  change.put({ ...started, state: 'PENDING', execution: { by: 'container', uid, image } });
  await tx.schedule(syncTask(key, change.now));
  return undefined;
}

async function startSimulation(
  change: RunChange,
  task: TaskRun,
  built: Extract<BuiltProgram, { program: Program }>,
): Promise<undefined> {
  const { now, tx } = change;
  const { program, image } = built;
  const { script, isPause, environment } = program;
  const run = simulate({
    ...(image !== undefined && { image }),
    run: task.attempt + 1,
    command: ['sh', '-c', script],
    environment,
    hostname: `run-${task.runId}`,
    startedAt: now,
    // Otherwise a task that calls an unknown command, such as `pip install`, would never end.
    interactive: true,
  });
  const text = run
    // One more than is stored, to detect truncation.
    .output(MOST_OUTPUT_CHARACTERS + 1)
    .map((each) => each.text)
    .join('');
  const { output, values } = readOutput(text, program.hidden);
  const { end, refused } = run;
  const key = runKey(task.workspaceId, task.id);
  const problem = refused ?? (end && end.exitCode !== 0 ? lastLine(output.log) : '');
  const kept: TaskOutput = problem === '' ? output : { ...output, error: problem };
  if (text !== '' || problem !== '') await tx.put(taskOutputs, key, kept);
  change.put({
    ...task,
    ...(values && { values: values satisfies JsonMembers }),
    execution: {
      by: 'simulation',
      ...(end && { endsAt: end.at }),
      exitCode: end?.exitCode ?? 0,
      ...(isPause && image === undefined && { isPause }),
    },
  });
  const dueAt = earliest(end?.at, deadlineOf(change, task));
  if (dueAt !== undefined) await tx.schedule(taskDue(key, dueAt, task.runId));
  return undefined;
}

/** Time at which the task times out. */
export function deadlineOf(change: RunChange, task: TaskRun): number | undefined {
  const { timeout_seconds: seconds = 0 } = change.settingsFor(task);
  return seconds > 0 && task.startedAt !== undefined ? task.startedAt + seconds * SECOND_MS : undefined;
}

const earliest = (...times: (number | undefined)[]): number | undefined => {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};
