import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { omitAbsent } from '../../../../kernel/values/index.ts';
import { membersOf } from '../../engine/json.ts';
import type { PlatformCall } from '../../jar.ts';
import { durationsOf } from '../durations.ts';
import type { JobSettings } from '../job.ts';
import type { Run } from '../run.ts';
import { newStatus, oldState } from '../states.ts';
import type { TaskRun } from '../task-run.ts';
import { pageUrl } from './page-url.ts';

/** The settings of a task of a run. The settings of an iteration are nested in those of its for-each task. */
export function settingsOf(plan: JobSettings, task: TaskRun): JsonMembers {
  const settings = membersOf(plan.tasks?.find((each) => each.task_key === task.key));
  return task.iteration ? membersOf(membersOf(settings.for_each_task).task) : settings;
}

/** Times and durations of a task run. `end_time` is 0 until it has ended. */
export function timesOf(task: TaskRun) {
  const { createdAt, startedAt, endedAt } = task;
  const { setup, execution } = durationsOf(task);
  return {
    start_time: startedAt ?? createdAt,
    end_time: endedAt ?? 0,
    setup_duration: setup,
    execution_duration: execution,
    cleanup_duration: 0,
  };
}

/** `cluster_instance`: `spark_context_id` is a string here, and is present once the program has started. */
export const instanceOf = ({ cluster }: TaskRun): JsonMembers =>
  cluster
    ? {
        cluster_instance: omitAbsent({
          cluster_id: cluster.id,
          spark_context_id: cluster.contextId === undefined ? undefined : String(cluster.contextId),
        }),
      }
    : {};

/** A task run as an entry of `tasks` or `iterations`. */
export function taskView(
  call: PlatformCall,
  run: Run,
  plan: JobSettings,
  task: TaskRun,
  { resolves = false }: { readonly resolves?: boolean } = {},
): JsonMembers {
  const { id, kind, attempt, originalId, iteration } = task;
  const settings = settingsOf(plan, task);
  return {
    ...settings,
    ...(kind === 'condition_task' && {
      condition_task: omitAbsent({ ...membersOf(settings.condition_task), outcome: task.conditionOutcome }),
    }),
    ...(kind === 'for_each_task' && { for_each_task: { ...membersOf(settings.for_each_task), stats: statsOf(task) } }),
    ...(kind === 'run_job_task' &&
      task.execution?.by === 'run' && {
        run_job_task: { ...membersOf(settings.run_job_task), run_id: Number(task.execution.runId) },
      }),
    task_key: task.key,
    run_id: Number(id),
    state: oldState(task),
    status: newStatus(task),
    ...timesOf(task),
    ...instanceOf(task),
    ...(task.startedAt !== undefined && { queue_duration: task.startedAt - task.createdAt }),
    attempt_number: attempt,
    original_attempt_run_id: Number(originalId),
    run_page_url: pageUrl(call, run, id),
    ...(iteration && { iteration_index: iteration.index, input: iteration.input }),
    ...(resolves && task.resolved && { resolved_values: { [kind]: task.resolved } }),
  };
}

function statsOf({ execution, state }: TaskRun): JsonMembers {
  const { total, carried, open, next, failed, errors } =
    execution?.by === 'iterations'
      ? execution
      : { total: 0, carried: 0, open: 0, next: 0, failed: 0, errors: undefined };
  const completed = total - open;
  const scheduled = next + carried;
  return {
    task_run_stats: {
      total_iterations: total,
      scheduled_iterations: scheduled,
      active_iterations: state === 'TERMINATED' ? 0 : Math.max(0, scheduled - completed),
      completed_iterations: completed,
      succeeded_iterations: completed - failed,
      failed_iterations: failed,
    },
    ...(errors && {
      error_message_stats: Object.entries(errors)
        .sort(([, one], [, other]) => other - one)
        .map(([error_message, count]) => ({ error_message, count, termination_category: 'RUN_EXECUTION_ERROR' })),
    }),
  };
}
