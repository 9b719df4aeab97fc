import type { JsonMembers } from '../../../kernel/values/index.ts';
import type { AclEntry } from '../permissions/acl.ts';
import type { JobSettings } from './job.ts';

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
  | 'CLUSTER_REQUEST_LIMIT_EXCEEDED'
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
  readonly trigger: 'ONE_TIME' | 'PERIODIC' | 'RUN_JOB_TASK' | 'CONTINUOUS' | 'FILE_ARRIVAL' | 'TABLE' | 'MODEL';
  /** Of a run that a trigger of tables began: which of them had changed. */
  readonly updatedTables?: readonly UpdatedTable[];
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

/** The newest commit that a trigger has seen. */
export interface UpdatedTable {
  readonly name: string;
  readonly version: number;
  readonly at: number;
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
