import type { Tone } from '../../../shared/ui/badge.tsx';
import { allPages, type Platform, writesTo } from '../api.ts';

/** The state of a run or of one of its tasks. */
export interface RunState {
  readonly life_cycle_state: string;
  readonly result_state?: string;
  readonly state_message?: string;
  readonly queue_reason?: string;
}

export interface RunRow {
  readonly job_id?: number;
  readonly run_id: number;
  readonly number_in_job: number;
  readonly run_name: string;
  readonly run_type: string;
  readonly trigger: string;
  readonly state: RunState;
  readonly creator_user_name: string;
  readonly run_as_user_name: string;
  readonly start_time: number;
  /** 0 until it has ended. */
  readonly end_time: number;
  readonly run_duration?: number;
  readonly queue_duration?: number;
}

export interface Dependency {
  readonly task_key: string;
  readonly outcome?: string;
}

/** The settings of a task: what it runs is the member whose name ends in `_task`. */
export interface TaskSettings {
  readonly task_key: string;
  readonly description?: string;
  readonly depends_on?: readonly Dependency[];
  readonly run_if?: string;
  readonly [member: string]: unknown;
}

export interface TaskRun extends TaskSettings {
  readonly run_id: number;
  readonly state: RunState;
  readonly start_time: number;
  readonly end_time: number;
  readonly setup_duration: number;
  readonly execution_duration: number;
  readonly attempt_number: number;
  readonly iteration_index?: number;
  readonly input?: unknown;
  readonly cluster_instance?: { readonly cluster_id: string };
  readonly for_each_task?: { readonly stats?: { readonly task_run_stats: IterationStats } };
  readonly run_job_task?: { readonly run_id?: number };
  readonly condition_task?: { readonly outcome?: string };
  readonly resolved_values?: Readonly<Record<string, unknown>>;
}

export interface IterationStats {
  readonly total_iterations: number;
  readonly completed_iterations: number;
  readonly failed_iterations: number;
}

export interface RepairEntry {
  readonly type: 'ORIGINAL' | 'REPAIR';
  readonly id?: number;
  readonly start_time: number;
  readonly end_time: number;
  readonly state: RunState;
  readonly task_run_ids?: readonly number[];
}

export interface RunDocument extends RunRow {
  /** All attempts, in the order of the plan. */
  readonly tasks?: readonly TaskRun[];
  readonly iterations?: readonly TaskRun[];
  readonly repair_history?: readonly RepairEntry[];
  readonly job_parameters?: readonly { readonly name: string; readonly default?: string; readonly value: string }[];
  readonly overriding_parameters?: Readonly<Record<string, unknown>>;
  readonly next_page_token?: string;
}

export interface RunPage {
  readonly runs?: readonly RunRow[];
  readonly next_page_token?: string;
}

/** What may change jobs and runs. */
export const JOBS_CHANGE = [...writesTo('jobs'), 'work', 'clock'] as const;

export const isActive = ({ life_cycle_state: state }: RunState): boolean =>
  !['TERMINATED', 'SKIPPED', 'INTERNAL_ERROR'].includes(state);

/** It ended without a start: another task or a condition decided so. */
export const neverRan = ({ life_cycle_state, result_state = '' }: RunState): boolean =>
  life_cycle_state === 'SKIPPED' || result_state.startsWith('UPSTREAM_');

/** In one word: the result, or how far it has come. */
export const stateWord = ({ result_state, life_cycle_state }: RunState): string =>
  (result_state ?? life_cycle_state).toLowerCase().replaceAll('_', ' ');

const TONES: Readonly<Record<string, Tone>> = {
  SUCCESS: 'success',
  SUCCESS_WITH_FAILURES: 'warning',
  FAILED: 'failure',
  TIMEDOUT: 'failure',
  UPSTREAM_FAILED: 'failure',
  INTERNAL_ERROR: 'failure',
  MAXIMUM_CONCURRENT_RUNS_REACHED: 'warning',
  CANCELED: 'warning',
  UPSTREAM_CANCELED: 'warning',
  RUNNING: 'info',
  TERMINATING: 'info',
  WAITING_FOR_RETRY: 'warning',
};

export const toneOfState = ({ result_state, life_cycle_state }: RunState): Tone =>
  TONES[result_state ?? life_cycle_state] ?? 'neutral';

/** What the task runs: `notebook`, `python wheel`. */
export function kindOf(task: TaskSettings): string {
  const member = Object.keys(task).find((name) => name.endsWith('_task') && task[name] !== undefined);
  return member === undefined ? 'task' : member.slice(0, -'_task'.length).replaceAll('_', ' ');
}

/** A whole run with all attempts: version 2.2 of the API hands out a hundred tasks at a time. */
export async function readRun(platform: Platform, id: string, signal: AbortSignal): Promise<RunDocument> {
  const query = { run_id: id, include_history: 'true', include_resolved_values: 'true' };
  const first = await platform.get<RunDocument>('/api/2.2/jobs/runs/get', query, signal);
  const { next_page_token, ...run } = first;
  if (next_page_token === undefined) return run;
  const more = { tasks: [] as TaskRun[], iterations: [] as TaskRun[] };
  await allPages<RunDocument, TaskRun>(
    (token = next_page_token) => platform.get('/api/2.2/jobs/runs/get', { ...query, page_token: token }, signal),
    ({ tasks = [], iterations = [] }) => {
      more.tasks.push(...tasks);
      more.iterations.push(...iterations);
      return tasks;
    },
  );
  return {
    ...run,
    ...(run.tasks && { tasks: [...run.tasks, ...more.tasks] }),
    ...(run.iterations && { iterations: [...run.iterations, ...more.iterations] }),
  };
}

/** The newest attempt of each task, in the order of the plan. */
export function newestOf(tasks: readonly TaskRun[]): readonly TaskRun[] {
  const newest = new Map<string, TaskRun>();
  for (const task of tasks) {
    const known = newest.get(task.task_key);
    if (!known || known.attempt_number <= task.attempt_number) newest.set(task.task_key, task);
  }
  return [...newest.values()];
}
