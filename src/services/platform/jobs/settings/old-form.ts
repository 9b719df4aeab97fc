import { isObject, type JsonMembers } from '../../../../kernel/values/index.ts';
import { isTaskKind } from '../task-kinds.ts';

/**
 * Version 2.0 has one task, whose members are those of the job itself (`format: SINGLE_TASK`). It is stored as the only entry of `tasks`.
 */

const KEY_OF_ONLY_TASK = 'main';

const OF_TASK: ReadonlySet<string> = new Set([
  'existing_cluster_id',
  'new_cluster',
  'libraries',
  'max_retries',
  'min_retry_interval_millis',
  'retry_on_timeout',
]);

const isOfTask = (name: string): boolean => OF_TASK.has(name) || isTaskKind(name);

/** Converts settings with a task at the top level to settings with `tasks`; returns other settings unchanged. */
export function withTasks(sent: unknown): unknown {
  if (!isObject(sent) || sent.tasks !== undefined || !Object.keys(sent).some(isTaskKind)) return sent;
  const entries = Object.entries(sent);
  const task = Object.fromEntries(entries.filter(([name]) => isOfTask(name)));
  const rest = Object.fromEntries(entries.filter(([name]) => !isOfTask(name)));
  return { ...rest, tasks: [{ task_key: KEY_OF_ONLY_TASK, ...task }], format: 'SINGLE_TASK' };
}

/** Defaults of tasks that are not shown at the top level. */
const FILLED_IN: ReadonlySet<string> = new Set(['task_key', 'run_if', 'timeout_seconds', 'email_notifications']);

/** Converts a job that was created in the form of version 2.0 back to that form; returns other settings unchanged. */
export function withoutTasks(settings: JsonMembers & { readonly tasks?: readonly JsonMembers[] }): JsonMembers {
  const { tasks = [], ...rest } = settings;
  const [only] = tasks;
  if (settings.format !== 'SINGLE_TASK' || tasks.length !== 1 || !only) return settings;
  return { ...rest, ...Object.fromEntries(Object.entries(only).filter(([name]) => !FILLED_IN.has(name))) };
}
