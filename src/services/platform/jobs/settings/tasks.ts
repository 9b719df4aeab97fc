import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { listOf, membersOf, textOf } from '../../engine/json.ts';
import type { JobSettings, TaskSettings } from '../job.ts';
import { isTaskKind, kindOfTask } from '../task-kinds.ts';
import { invalid } from './rules.ts';
import { MOST_ITERATIONS } from './task-rules.ts';

/** Rules that involve more than one member of a task. The types of the members are already validated. */

const COMPUTE = ['existing_cluster_id', 'new_cluster', 'job_cluster_key', 'environment_key'] as const;

const SQL_SUBJECTS = ['query', 'file', 'dashboard', 'alert'] as const;

export interface TaskSurroundings {
  readonly jobClusters: ReadonlySet<string>;
  readonly environments: ReadonlySet<string>;
}

export const surroundingsOf = ({ job_clusters = [], environments }: JobSettings): TaskSurroundings => ({
  jobClusters: new Set(job_clusters.map(({ job_cluster_key: key }) => key)),
  environments: new Set(listOf(environments).flatMap((each) => textOf(membersOf(each).environment_key) ?? [])),
});

export function checkTask(task: TaskSettings, where: TaskSurroundings): void {
  const key = task.task_key;
  checkKind(task);
  const compute = COMPUTE.filter((name) => task[name] !== undefined);
  if (compute.length > 1)
    throw invalid(`Task ${key} names more than one compute: ${compute.join(', ')}. Exactly one of them may be given.`);
  const { job_cluster_key: cluster, environment_key: environment } = task;
  if (typeof cluster === 'string' && !where.jobClusters.has(cluster))
    throw invalid(`Task ${key} references the job cluster '${cluster.slice(0, 100)}', which is not defined.`);
  if (typeof environment === 'string' && !where.environments.has(environment))
    throw invalid(`Task ${key} references the environment '${environment.slice(0, 100)}', which is not defined.`);
  const { python_wheel_task: wheel, sql_task: sql, for_each_task: forEach } = task;
  if (membersOf(wheel).parameters !== undefined && membersOf(wheel).named_parameters !== undefined)
    throw invalid(`Task ${key}: python_wheel_task must not have both parameters and named_parameters.`);
  if (sql !== undefined && SQL_SUBJECTS.filter((name) => membersOf(sql)[name] !== undefined).length !== 1)
    throw invalid(`Task ${key}: sql_task must have exactly one of ${SQL_SUBJECTS.join(', ')}.`);
  if (task.spark_submit_task !== undefined && compute[0] !== 'new_cluster')
    throw invalid(`Task ${key}: spark_submit_task runs on a new_cluster only.`);
  if (forEach !== undefined) checkForEach(key, membersOf(forEach), where);
}

/** Requires exactly one task kind, which must be known. */
function checkKind(task: TaskSettings): void {
  const unknown = Object.keys(task).find((name) => name.endsWith('_task') && !isTaskKind(name));
  if (unknown !== undefined)
    throw invalid(`Task ${task.task_key} has the unknown task type '${unknown.slice(0, 100)}'.`);
  const kinds = Object.keys(task).filter(isTaskKind);
  if (kinds.length === 0) throw invalid(`Task ${task.task_key} must define exactly one task type; it has none.`);
  if (kinds.length > 1)
    throw invalid(`Task ${task.task_key} must define exactly one task type; it has ${kinds.join(', ')}.`);
}

function checkForEach(key: string, { inputs, task }: JsonMembers, where: TaskSurroundings): void {
  const inner = membersOf(task);
  if (!isTask(inner)) return;
  if (inner.for_each_task !== undefined)
    throw invalid(`Task ${key}: a for_each_task cannot be nested in a for_each_task.`);
  if (listOf(inner.depends_on).length > 0)
    throw invalid(`Task ${key}: the task of a for_each_task cannot have dependencies of its own.`);
  checkTask(inner, where);
  if (kindOfTask(inner) === 'condition_task')
    throw invalid(`Task ${key}: the task of a for_each_task cannot be a condition_task.`);
  const list = typeof inputs === 'string' ? literalInputs(inputs) : undefined;
  if (list === 'neither')
    throw invalid(
      `Task ${key}: for_each_task.inputs must be a JSON array or a reference such as {{tasks.<key>.values.<name>}}.`,
    );
  if (typeof list === 'number' && list > MOST_ITERATIONS)
    throw invalid(`Task ${key}: for_each_task.inputs has ${list} elements; at most ${MOST_ITERATIONS} are possible.`);
}

/** The number of inputs if they are a literal list and not a reference. */
function literalInputs(inputs: string): number | 'reference' | 'neither' {
  if (inputs.includes('{{')) return 'reference';
  try {
    const parsed: unknown = JSON.parse(inputs);
    return Array.isArray(parsed) ? parsed.length : 'neither';
  } catch {
    return 'neither';
  }
}

const isTask = (members: JsonMembers): members is TaskSettings => typeof members.task_key === 'string';
