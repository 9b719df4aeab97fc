import type { JsonMembers } from '../../../kernel/values/index.ts';
import type { AclEntry } from '../permissions/acl.ts';

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
