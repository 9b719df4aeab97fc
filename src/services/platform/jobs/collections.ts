import { boolean, collection, type Json, number, set, text } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import type { NotebookLanguage } from '../notebooks/model.ts';
import { type AclEntry, readersOf } from '../permissions/acl.ts';
import type { TaskKind } from './task-kinds.ts';

/** A saved job. The key is `jobKey`. */
export interface Job {
  readonly id: string;
  readonly workspaceId: string;
  readonly accountId: string;
  readonly createdBy: string;
  readonly createdAt: number;
  /** As whom runs act: a principal. */
  readonly runAs: string;
  /** As checked, with defaults filled in. */
  readonly settings: JobSettings;
  readonly acl: readonly AclEntry[];
  /** Of the last run that was made; `number_in_job` counts from it. */
  readonly lastNumber: number;
  /** The digest of what the query of `sql_condition` gave when the schedule last looked. */
  readonly conditionValue?: string;
}

/** What the engine of runs reads of the settings. Other members are kept and shown as they were sent. */
export type JobSettings = JsonMembers & {
  readonly name?: string;
  readonly tasks?: readonly TaskSettings[];
  readonly job_clusters?: readonly (JsonMembers & {
    readonly job_cluster_key: string;
    readonly new_cluster?: JsonMembers;
  })[];
  readonly parameters?: readonly { readonly name: string; readonly default: string }[];
  readonly schedule?: {
    readonly quartz_cron_expression: string;
    readonly timezone_id: string;
    readonly sql_condition?: SqlCondition;
    readonly pause_status?: 'PAUSED' | 'UNPAUSED';
  };
  readonly trigger?: JsonMembers & { readonly pause_status?: 'PAUSED' | 'UNPAUSED' };
  readonly triggers?: readonly (JsonMembers & { readonly pause_status?: 'PAUSED' | 'UNPAUSED' })[];
  readonly continuous?: { readonly pause_status?: 'PAUSED' | 'UNPAUSED'; readonly task_retry_mode?: string };
  readonly max_concurrent_runs?: number;
  readonly timeout_seconds?: number;
  readonly queue?: { readonly enabled?: boolean };
  readonly email_notifications?: JsonMembers;
  readonly webhook_notifications?: JsonMembers;
  readonly notification_settings?: JsonMembers;
  readonly health?: JsonMembers;
  readonly git_source?: JsonMembers;
  readonly tags?: JsonMembers;
};

/** A query that decides whether a schedule fires. */
export type SqlCondition = {
  readonly sql_query_id: string;
  readonly warehouse_id: string;
  /** The first by default. */
  readonly trigger_mode?: 'QUERY_RETURNS_ROWS' | 'RESULT_VALUE_CHANGES';
};

export type RunIf =
  | 'ALL_SUCCESS'
  | 'AT_LEAST_ONE_SUCCESS'
  | 'NONE_FAILED'
  | 'ALL_DONE'
  | 'AT_LEAST_ONE_FAILED'
  | 'ALL_FAILED';

/** Exactly one member is that of a `TaskKind`. */
export type TaskSettings = JsonMembers & {
  readonly task_key: string;
  readonly depends_on?: readonly { readonly task_key: string; readonly outcome?: string }[];
  readonly run_if?: RunIf;
  readonly timeout_seconds?: number;
  readonly max_retries?: number;
  readonly min_retry_interval_millis?: number;
  readonly retry_on_timeout?: boolean;
  readonly disabled?: boolean;
  readonly email_notifications?: JsonMembers;
  readonly webhook_notifications?: JsonMembers;
  readonly notification_settings?: JsonMembers;
  readonly health?: JsonMembers;
};

/** `status.state` of the newer API; `state.life_cycle_state` of the older one follows from it (`states.ts`). */
export type RunState = 'BLOCKED' | 'QUEUED' | 'PENDING' | 'RUNNING' | 'WAITING' | 'TERMINATING' | 'TERMINATED';

/** How a run or a task ended. The termination codes and the older result states follow from it (`states.ts`). */
export type Outcome =
  | 'SUCCESS'
  | 'SUCCESS_WITH_FAILURES'
  | 'FAILED'
  | 'TIMEDOUT'
  | 'CANCELED'
  | 'UPSTREAM_FAILED'
  | 'UPSTREAM_CANCELED'
  | 'EXCLUDED'
  | 'DISABLED'
  | 'SKIPPED'
  | 'MAX_CONCURRENT_RUNS'
  | 'WORKSPACE_RUN_LIMIT'
  | 'UNAUTHORIZED'
  | 'INTERNAL_ERROR';

export interface Ending {
  readonly outcome: Outcome;
  readonly message: string;
  /** `termination_details.code`, where it says more than the outcome does. */
  readonly code?: EndingCode;
}

export type EndingCode =
  | 'CLUSTER_ERROR'
  | 'CLUSTER_TERMINATED_BY_USER'
  | 'INVALID_CLUSTER_REQUEST'
  | 'REPOSITORY_CHECKOUT_FAILED'
  | 'RESOURCE_NOT_FOUND'
  | 'UNAUTHORIZED_ERROR';

/** A run of a job, or one that was submitted without one. The key is `runKey`. */
export interface Run {
  readonly id: string;
  readonly workspaceId: string;
  readonly accountId: string;
  /** Absent: submitted. */
  readonly jobId?: string;
  readonly name: string;
  readonly number: number;
  readonly type: 'JOB_RUN' | 'SUBMIT_RUN' | 'WORKFLOW_RUN';
  readonly trigger: 'ONE_TIME' | 'PERIODIC' | 'RUN_JOB_TASK' | 'CONTINUOUS' | 'FILE_ARRIVAL' | 'TABLE';
  readonly createdBy: string;
  readonly runAs: string;
  readonly state: RunState;
  readonly queueReason?: QueueReason;
  readonly ending?: Ending;
  readonly createdAt: number;
  /** When it left the queue. */
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** Made anew with each change of its plan. */
  readonly planId?: string;
  /** How many of its tasks have not ended. */
  readonly open: number;
  /** Somebody, or the time limit, wants it to end. */
  readonly ends?: { readonly outcome: 'CANCELED' | 'TIMEDOUT'; readonly message: string };
  /** By name: the default and the value of each parameter of the job. */
  readonly parameters: readonly { readonly name: string; readonly default: string; readonly value: string }[];
  /** The parameters of a call as they were sent, by the name of their field: `notebook_params`. */
  readonly overriding: JsonMembers;
  readonly repairs: readonly Repair[];
  /** How the run ended before its first repair. */
  readonly original?: { readonly endedAt: number; readonly ending?: Ending };
  /** Of a run with a single task: those of the task. */
  readonly durations?: { readonly setup: number; readonly execution: number };
  /** Of a run with tasks from a repository, once it was read: the commit, or why there is none. */
  readonly git?: { readonly commit: string } | { readonly problem: string };
  /** By `job_cluster_key`: the cluster that its tasks share, and how many of them have not ended. */
  readonly clusters?: Readonly<Record<string, SharedCluster>>;
  /** The task run of another run that waits for this one. */
  readonly waitedForBy?: string;
  readonly idempotencyToken?: string;
  /** Who may see a submitted run; that of the job decides otherwise. */
  readonly acl: readonly AclEntry[];
}

export interface SharedCluster {
  /** Absent: no task has needed it so far. */
  readonly id?: string;
  readonly open: number;
}

export type QueueReason = 'MAX_CONCURRENT_RUNS_REACHED' | 'ACTIVE_RUNS_LIMIT_REACHED';

export interface Repair {
  readonly id: string;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly ending?: Ending;
  readonly taskRuns: readonly string[];
}

/** The settings that a run was made with: they do not change with the job. The key is that of the run. */
export interface RunPlan {
  readonly settings: JobSettings;
  /** Of a run that waits in the queue: only these tasks. */
  readonly only?: readonly string[];
}

/** One attempt at a task of a run. The key is `runKey` with its own id. */
export interface TaskRun {
  readonly id: string;
  readonly workspaceId: string;
  readonly runId: string;
  readonly key: string;
  readonly kind: TaskKind;
  readonly attempt: number;
  readonly originalId: string;
  /** How often it was tried again since the run or its last repair began. */
  readonly retries?: number;
  /** Another attempt has taken its place. */
  readonly isSuperseded?: boolean;
  readonly state: RunState;
  readonly ending?: Ending;
  readonly createdAt: number;
  /** Of a task that waits for another attempt or for room: since or until when. */
  readonly waitsFrom?: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** The cluster that it runs on, or waits for. */
  readonly cluster?: TaskCluster;
  /** When its program began, if the task had to wait for its cluster after its start. */
  readonly readyAt?: number;
  readonly execution?: Execution;
  /** Of an iteration of a for-each task. */
  readonly iteration?: { readonly of: string; readonly index: number; readonly input: Json };
  /** Task values that it has set. */
  readonly values?: JsonMembers;
  /** Of a condition: `true` or `false`. */
  readonly conditionOutcome?: string;
  /** What references in its settings stand for, once it has started. */
  readonly resolved?: JsonMembers;
  readonly repairId?: string;
}

export interface TaskCluster {
  readonly id: string;
  /** Whose cluster it is: the task's own (`new_cluster`), shared by tasks of the run (`job_cluster_key`), or there anyway (`existing_cluster_id`). */
  readonly is: 'own' | 'shared' | 'existing';
  /** Of the driver on which the program began. Absent: the task waits for the cluster. */
  readonly contextId?: number;
}

/** How a started task is carried out. */
export type Execution =
  /** A script of the simulated shell: when and how it ends is known from the start. `endsAt` is absent where it never ends. */
  | { readonly by: 'simulation'; readonly endsAt?: number; readonly exitCode: number; readonly isPause?: true }
  /** A container of the jar's engine. */
  | { readonly by: 'container'; readonly uid: string; readonly image: string }
  /** Another run. */
  | { readonly by: 'run'; readonly runId: string }
  /** Iterations, of which so many have not ended. */
  | {
      readonly by: 'iterations';
      readonly total: number;
      readonly open: number;
      readonly next: number;
      readonly failed: number;
      /** Messages of iterations that failed, by how often they came up. */
      readonly errors?: Readonly<Record<string, number>>;
    }
  /** Decided at once: a condition. */
  | { readonly by: 'decision' };

/** What a task wrote. The key is that of the task run. */
export interface TaskOutput {
  readonly log: string;
  readonly isTruncated: boolean;
  /** `dbutils.notebook.exit`. */
  readonly result?: string;
  readonly error?: string;
  readonly errorTrace?: string;
  readonly sql?: SqlOutput;
}

/** What a task on a SQL warehouse left. */
export interface SqlOutput {
  readonly shows: 'query' | 'alert' | 'dashboard' | 'alert_task' | 'dashboard_task';
  /** In `runs/get-output`. */
  readonly shown: JsonMembers;
  /** What other tasks refer to by `{{tasks.name.output.…}}`: `rows`, `first_row`, `alert_state`. */
  readonly values?: JsonMembers;
  /** The saved query, or the alert, whose permissions decide who may read the text of the query. */
  readonly query?: string;
  readonly alert?: string;
}

const ACTIVE: ReadonlySet<RunState> = new Set(['BLOCKED', 'PENDING', 'RUNNING', 'WAITING', 'TERMINATING']);

export const jobs = collection<Job>('platform.jobs', {
  fields: {
    workspace: text((it) => it.workspaceId),
    name: text((it) => it.settings.name?.toLowerCase()),
    createdAt: number((it) => it.createdAt),
    readers: set(readersOf),
  },
  indexes: [
    ['workspace', 'createdAt'],
    ['workspace', 'name', 'createdAt'],
  ],
});

export const runs = collection<Run>('platform.runs', {
  fields: {
    workspace: text((it) => it.workspaceId),
    job: text(({ workspaceId, jobId }) => jobId && `${workspaceId}/${jobId}`),
    /** Takes one of the job's places. */
    active: boolean(({ state }) => ACTIVE.has(state)),
    ended: boolean(({ state }) => state === 'TERMINATED'),
    queued: boolean(({ state }) => state === 'QUEUED'),
    createdAt: number((it) => it.createdAt),
    /** In its job: the order of runs that were made at one instant. */
    number: number((it) => it.number),
    /** `start_time` on the wire. */
    startTime: number(({ startedAt, createdAt }) => startedAt ?? createdAt),
    /** Lists begin with those that have not ended, then come the ended by their end. */
    listedAt: number(({ endedAt, startedAt, createdAt }) => endedAt ?? startedAt ?? createdAt),
    endedAt: number((it) => it.endedAt),
    type: text((it) => it.type),
    readers: set(readersOf),
  },
  indexes: [
    ['workspace', 'ended', 'listedAt'],
    ['job', 'ended', 'listedAt'],
    ['job', 'active'],
    ['workspace', 'queued', 'createdAt', 'number'],
    ['workspace', 'endedAt'],
  ],
});

export const runPlans = collection<RunPlan>('platform.run_plans', { wide: true });

export const taskRuns = collection<TaskRun>('platform.task_runs', {
  fields: {
    run: text(({ workspaceId, runId }) => `${workspaceId}/${runId}`),
    key: text((it) => it.key),
    current: boolean((it) => it.isSuperseded !== true),
    iterationOf: text(({ workspaceId, iteration }) => iteration && `${workspaceId}/${iteration.of}`),
    /** Waits for room in its workspace. */
    waiting: text(({ workspaceId, state }) => (state === 'QUEUED' ? workspaceId : undefined)),
    waitsFrom: number((it) => it.waitsFrom),
    /** The key of the cluster that it needs now. */
    cluster: text(({ workspaceId, cluster, state }) =>
      cluster && state !== 'TERMINATED' ? `${workspaceId}/${cluster.id}` : undefined,
    ),
    uid: text(({ execution }) => (execution?.by === 'container' ? execution.uid : undefined)),
  },
  indexes: [['run', 'key'], ['iterationOf'], ['waiting', 'waitsFrom'], ['cluster'], ['uid']],
});

export const taskOutputs = collection<TaskOutput>('platform.task_outputs', { wide: true });

/** What a task runs, out of the repository of its job. The key is `gitSourceKey`. */
export type GitSource = NotebookSource | { readonly is: 'file'; readonly text: string };

export interface NotebookSource {
  readonly is: 'notebook';
  readonly language: NotebookLanguage;
  readonly cells: readonly { readonly language: string; readonly text: string }[];
}

export const gitSources = collection<GitSource>('platform.git_sources', { wide: true });

/** The notebook of a task as it was when the task began. The key is that of the task run. */
export const taskNotebooks = collection<NotebookSource>('platform.task_notebooks', { wide: true });

/** By workspace: there where tasks or runs may wait for room. Each end of a task asks for it, and a look at one key costs less than two searches. */
export const roomIsWanted = collection<object>('platform.room_is_wanted');

/** By `idempotency_token`: the run that the first call with it made. The key is the workspace's id, `/` and the token. */
export const runTokens = collection<{ readonly runId: string }>('platform.run_tokens');

export const jobKey = (workspaceId: string, id: string): string => `${workspaceId}/${id}`;
export const runKey = (workspaceId: string, id: string): string => `${workspaceId}/${id}`;

export function readRunKey(key: string): readonly [workspaceId: string, id: string] {
  const at = key.indexOf('/');
  return [key.slice(0, at), key.slice(at + 1)];
}

export const JOB_COLLECTIONS = [
  jobs,
  runs,
  runPlans,
  gitSources,
  taskRuns,
  taskOutputs,
  taskNotebooks,
  runTokens,
  roomIsWanted,
] as const;
