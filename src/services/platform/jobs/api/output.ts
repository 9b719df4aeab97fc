import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { cleanRoomsOutput } from '../../clean-rooms/task-output.ts';
import type { PlatformCall } from '../../jar.ts';
import { sqlOutputView } from '../../sql/tasks/view.ts';
import { runKey, taskOutputs } from '../collections.ts';
import type { Run } from '../run.ts';
import type { TaskOutput, TaskRun } from '../task-run.ts';
import { findRunOrTask } from './access.ts';
import { jobErrors } from './errors.ts';
import { idIn } from './request.ts';
import { planOf, taskRunView, tasksOf } from './run-view.ts';
import { simulationInfo } from './simulation-info.ts';

interface OneTask {
  readonly run: Run;
  readonly task: TaskRun;
}

/** The task run that a call names: by its own id, or by the id of a run with a single task. */
async function findTask(call: PlatformCall): Promise<OneTask> {
  const { run, task } = await findRunOrTask(call, idIn(call.query, 'run_id'));
  if (task) return { run, task };
  const [only, ...others] = await tasksOf(call, run, await planOf(call, run));
  if (!only || others.length > 0) throw jobErrors.INVALID_PARAMETER_VALUE__SeveralTasks();
  return { run, task: only };
}

export const outputOf = async ({ jar }: PlatformCall, { workspaceId, id }: TaskRun): Promise<TaskOutput | undefined> =>
  (await jar.store.get(taskOutputs, runKey(workspaceId, id)))?.value;

/** `runs/get-output`. */
export async function runOutput(call: PlatformCall): Promise<JsonMembers> {
  const { run, task } = await findTask(call);
  const output = await outputOf(call, task);
  const info = output?.sql ? undefined : simulationInfo(task.execution);
  const isNotebook = task.kind === 'notebook_task';
  return {
    metadata: await taskRunView(call, run, task),
    ...(isNotebook && {
      notebook_output: {
        ...(output?.result !== undefined && { result: output.result }),
        truncated: output?.isResultTruncated === true,
      },
    }),
    ...(task.kind === 'clean_rooms_notebook_task' && {
      clean_rooms_notebook_output: await cleanRoomsOutput(call, task, output),
    }),
    ...(output && output.log !== '' && { logs: output.log, logs_truncated: output.isTruncated }),
    ...(output?.sql && (await sqlOutputView(call, task, output.sql))),
    ...(output?.error !== undefined && { error: output.error }),
    ...(output?.errorTrace !== undefined && { error_trace: output.errorTrace }),
    ...(info !== undefined && { info }),
    ...(task.execution?.by === 'run' && { run_job_output: { run_id: Number(task.execution.runId) } }),
  };
}
