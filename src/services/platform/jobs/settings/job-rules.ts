import { NOTIFICATIONS } from './notification-rules.ts';
import { flag, integer, listOf, mapOf, object, oneOf, REQUIRED, type Rules, text } from './rules.ts';
import { KEY, TASK } from './task-rules.ts';

/** Rules for the settings of a job and of a submitted run. */

const MOST_JOB_CLUSTERS = 100;
const LEAST_WAIT_SECONDS = 60;
const MOST_TRIGGERS = 10;
const MOST_TABLES = 10;
const MOST_ALIASES = 100;

const PAUSE = oneOf(['PAUSED', 'UNPAUSED']);

const GIT_PROVIDERS = [
  'gitHub',
  'gitLab',
  'bitbucketCloud',
  'gitLabEnterpriseEdition',
  'bitbucketServer',
  'azureDevOpsServices',
  'gitHubEnterprise',
  'awsCodeCommit',
];

/** Members of both. */
const COMMON: Rules = {
  ...NOTIFICATIONS,
  tasks: listOf(object(TASK)),
  timeout_seconds: integer({ least: 0 }),
  git_source: object({
    git_url: text({ ...REQUIRED, least: 1 }),
    git_provider: text(),
    git_branch: text(),
    git_tag: text(),
    git_commit: text(),
  }),
  environments: listOf(object({ environment_key: text(KEY), spec: object() })),
  queue: object({ enabled: flag }),
  run_as: object({ user_name: text(), service_principal_name: text(), group_name: text() }),
  access_control_list: listOf(
    object({
      user_name: text(),
      group_name: text(),
      service_principal_name: text(),
      permission_level: text(REQUIRED),
    }),
  ),
  budget_policy_id: text(),
};

const JOB_CLUSTERS = listOf(object({ job_cluster_key: text(KEY), new_cluster: object({}, REQUIRED) }), {
  most: MOST_JOB_CLUSTERS,
});

const WAITS: Rules = {
  min_time_between_triggers_seconds: integer({ least: LEAST_WAIT_SECONDS }),
  wait_after_last_change_seconds: integer({ least: LEAST_WAIT_SECONDS }),
};

const TABLES = object({
  table_names: listOf(text({ least: 1, most: 800 }), { ...REQUIRED, least: 1, most: MOST_TABLES }),
  condition: oneOf(['ANY_UPDATED', 'ALL_UPDATED']),
  ...WAITS,
});

const TRIGGER = object({
  pause_status: PAUSE,
  periodic: object({
    interval: integer({ ...REQUIRED, least: 1, most: 1_000_000 }),
    unit: oneOf(['MINUTES', 'HOURS', 'DAYS', 'WEEKS'], REQUIRED),
  }),
  file_arrival: object({ url: text({ ...REQUIRED, least: 1 }), ...WAITS }),
  table_update: TABLES,
  // Older name of `table_update`.
  table: TABLES,
  model: object({
    condition: oneOf(['MODEL_CREATED', 'MODEL_VERSION_READY', 'MODEL_ALIAS_SET'], REQUIRED),
    securable_name: text({ most: 800 }),
    aliases: listOf(text({ least: 1, most: 255 }), { most: MOST_ALIASES }),
    ...WAITS,
  }),
});

export const JOB: Rules = {
  ...COMMON,
  name: text({ mostBytes: 4096 }),
  description: text({ most: 27_700 }),
  job_clusters: JOB_CLUSTERS,
  parameters: listOf(
    object({
      name: text({
        ...REQUIRED,
        least: 1,
        pattern: { is: /^[\w.-]+$/, means: 'may contain only letters, digits, _, - and .' },
      }),
      default: text(REQUIRED),
    }),
  ),
  schedule: object({
    quartz_cron_expression: text(REQUIRED),
    timezone_id: text(REQUIRED),
    pause_status: PAUSE,
    sql_condition: object({
      sql_query_id: text(REQUIRED),
      warehouse_id: text(REQUIRED),
      trigger_mode: oneOf(['QUERY_RETURNS_ROWS', 'RESULT_VALUE_CHANGES']),
    }),
  }),
  trigger: TRIGGER,
  triggers: listOf(TRIGGER, { most: MOST_TRIGGERS }),
  continuous: object({ pause_status: PAUSE, task_retry_mode: oneOf(['NEVER', 'ON_FAILURE']) }),
  // 0 means that every run is skipped.
  max_concurrent_runs: integer({ least: 0, most: 1000 }),
  tags: mapOf(text(), { most: 25 }),
  edit_mode: oneOf(['UI_LOCKED', 'EDITABLE']),
  performance_target: oneOf(['PERFORMANCE_OPTIMIZED', 'STANDARD']),
  format: oneOf(['SINGLE_TASK', 'MULTI_TASK']),
};

/** `runs/submit`. */
export const SUBMITTED: Rules = {
  ...COMMON,
  run_name: text({ mostBytes: 4096 }),
  idempotency_token: text({ most: 64 }),
};

export { GIT_PROVIDERS };
