import type { JsonMembers } from '../../../kernel/values/index.ts';
import type { AclEntry } from '../permissions/acl.ts';
import type { JobSettings } from './job.ts';

/** `status.state` of the newer API; `state.life_cycle_state` of the older API is derived from it (`states.ts`). */
export type RunState = 'BLOCKED' | 'QUEUED' | 'PENDING' | 'RUNNING' | 'WAITING' | 'TERMINATING' | 'TERMINATED';

/** Outcome of a run or a task. The termination codes and the older result states are derived from it (`states.ts`). */
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
  /** `termination_details.code`, if it is more specific than the outcome. */
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

/** A run of a job, or a submitted run without a job. The key is `runKey`. */
export interface Run {
  readonly id: string;
  readonly workspaceId: string;
  readonly accountId: string;
  /** Absent for a submitted run. */
  readonly jobId?: string;
  readonly name: string;
  readonly number: number;
  readonly type: 'JOB_RUN' | 'SUBMIT_RUN' | 'WORKFLOW_RUN';
  readonly trigger: 'ONE_TIME' | 'PERIODIC' | 'RUN_JOB_TASK' | 'CONTINUOUS' | 'FILE_ARRIVAL' | 'TABLE' | 'MODEL';
  /** Set if a table trigger started the run: the changed tables. */
  readonly updatedTables?: readonly UpdatedTable[];
  readonly createdBy: string;
  readonly runAs: string;
  readonly state: RunState;
  readonly queueReason?: QueueReason;
  readonly ending?: Ending;
  readonly createdAt: number;
  /** Time at which it left the queue. */
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** Regenerated with each change of its plan. */
  readonly planId?: string;
  /** Number of its tasks that have not ended. */
  readonly open: number;
  /** Set once the run is to end early, by a cancellation or by the time limit. */
  readonly ends?: { readonly outcome: 'CANCELED' | 'TIMEDOUT'; readonly message: string };
  /** Name, default and value of each parameter of the job. */
  readonly parameters: readonly { readonly name: string; readonly default: string; readonly value: string }[];
  /** Parameters of the call as they were sent, by field name, such as `notebook_params`. */
  readonly overriding: JsonMembers;
  readonly repairs: readonly Repair[];
  /** Ending of the run before its first repair. */
  readonly original?: { readonly endedAt: number; readonly ending?: Ending };
  /** Durations of the task, if the run has a single task. */
  readonly durations?: { readonly setup: number; readonly execution: number };
  /** Set once the repository of the tasks was read: the commit, or why it could not be read. */
  readonly git?: { readonly commit: string } | { readonly problem: string };
  /** By `job_cluster_key`: the cluster that tasks share, and how many of these tasks have not ended. */
  readonly clusters?: Readonly<Record<string, SharedCluster>>;
  /** The task run of another run that waits for this one. */
  readonly waitedForBy?: string;
  readonly idempotencyToken?: string;
  /** Permissions of a submitted run; otherwise the permissions of the job apply. */
  readonly acl: readonly AclEntry[];
}

/** The newest commit of the table that the trigger has seen. */
export interface UpdatedTable {
  readonly name: string;
  readonly version: number;
  readonly at: number;
}

export interface SharedCluster {
  /** Absent until a task needs the cluster. */
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

/** The settings that a run was created with; later changes of the job do not affect them. The key is that of the run. */
export interface RunPlan {
  readonly settings: JobSettings;
  /** Set for a queued run that runs only these tasks. */
  readonly only?: readonly string[];
}
