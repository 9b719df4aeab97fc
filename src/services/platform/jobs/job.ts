import type { JsonMembers } from '../../../kernel/values/index.ts';
import type { AclEntry } from '../permissions/acl.ts';

/** A saved job. The key is `jobKey`. */
export interface Job {
  readonly id: string;
  readonly workspaceId: string;
  readonly accountId: string;
  readonly createdBy: string;
  readonly createdAt: number;
  /** The principal that runs act as. */
  readonly runAs: string;
  /** Validated, with defaults filled in. */
  readonly settings: JobSettings;
  readonly acl: readonly AclEntry[];
  /** Number of the newest run; `number_in_job` counts from it. */
  readonly lastNumber: number;
  /** Digest of the result of the `sql_condition` query at the last check by the schedule. */
  readonly conditionValue?: string;
}

/** The settings that the run engine reads. Other members are stored and returned as they were sent. */
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
  /** Default: `QUERY_RETURNS_ROWS`. */
  readonly trigger_mode?: 'QUERY_RETURNS_ROWS' | 'RESULT_VALUE_CHANGES';
};

export type RunIf =
  | 'ALL_SUCCESS'
  | 'AT_LEAST_ONE_SUCCESS'
  | 'NONE_FAILED'
  | 'ALL_DONE'
  | 'AT_LEAST_ONE_FAILED'
  | 'ALL_FAILED';

/** Exactly one member has the name of a `TaskKind`. */
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
