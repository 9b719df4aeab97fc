import { NOTIFICATIONS } from './notification-rules.ts';
import { flag, integer, listOf, mapOf, object, oneOf, REQUIRED, type Rules, text, texts } from './rules.ts';

/** Rules for the settings of a task. */

export const MOST_ITERATIONS = 10_000;
const MOST_CONCURRENT_ITERATIONS = 100;

/** Key of a task, a job cluster or an environment. */
export const KEY = {
  ...REQUIRED,
  least: 1,
  most: 100,
  pattern: { is: /^[A-Za-z0-9_-]+$/, means: 'may contain only letters, digits, - and _' },
} as const;

const SOURCE = oneOf(['WORKSPACE', 'GIT']);
const TEXT_MAP = mapOf(text());
const REQUIRED_TEXT = text({ ...REQUIRED, least: 1 });
/** Users by name, and notification destinations by id. */
const SUBSCRIPTIONS = listOf(object({ user_name: text(), destination_id: text() }));

const RUN_IFS = ['ALL_SUCCESS', 'AT_LEAST_ONE_SUCCESS', 'NONE_FAILED', 'ALL_DONE', 'AT_LEAST_ONE_FAILED', 'ALL_FAILED'];

const OPERATORS = ['EQUAL_TO', 'NOT_EQUAL', 'GREATER_THAN', 'GREATER_THAN_OR_EQUAL', 'LESS_THAN', 'LESS_THAN_OR_EQUAL'];

/** Legacy parameters, of a call or of a `run_job_task`. */
export const LEGACY_PARAMETERS: Rules = {
  notebook_params: TEXT_MAP,
  jar_params: texts,
  python_params: texts,
  python_named_params: TEXT_MAP,
  sql_params: TEXT_MAP,
  spark_submit_params: texts,
  dbt_commands: texts,
  pipeline_params: object({ full_refresh: flag }),
};

const KINDS: Rules = {
  notebook_task: object({
    notebook_path: REQUIRED_TEXT,
    base_parameters: TEXT_MAP,
    source: SOURCE,
    warehouse_id: text(),
  }),
  spark_python_task: object({ python_file: REQUIRED_TEXT, parameters: texts, source: SOURCE }),
  python_wheel_task: object({
    package_name: REQUIRED_TEXT,
    entry_point: REQUIRED_TEXT,
    parameters: texts,
    named_parameters: TEXT_MAP,
  }),
  spark_jar_task: object({ main_class_name: text(), parameters: texts, jar_uri: text(), run_as_repl: flag }),
  spark_submit_task: object({ parameters: texts }),
  sql_task: object({
    warehouse_id: REQUIRED_TEXT,
    query: object({ query_id: REQUIRED_TEXT }),
    file: object({ path: REQUIRED_TEXT, source: SOURCE }),
    dashboard: object({
      dashboard_id: REQUIRED_TEXT,
      subscriptions: SUBSCRIPTIONS,
      pause_subscriptions: flag,
      custom_subject: text(),
    }),
    alert: object({ alert_id: REQUIRED_TEXT, subscriptions: SUBSCRIPTIONS, pause_subscriptions: flag }),
    parameters: TEXT_MAP,
  }),
  dbt_task: object({
    commands: listOf(text({ pattern: { is: /^dbt\b/, means: "must start with 'dbt'" } }), {
      ...REQUIRED,
      least: 1,
      most: 10,
    }),
    project_directory: text(),
    profiles_directory: text(),
    warehouse_id: text(),
    catalog: text(),
    schema: text(),
    source: SOURCE,
  }),
  pipeline_task: object({
    pipeline_id: REQUIRED_TEXT,
    full_refresh: flag,
    full_refresh_selection: texts,
    refresh_selection: texts,
    parameters: TEXT_MAP,
  }),
  run_job_task: object({
    job_id: integer({ ...REQUIRED, least: 1 }),
    job_parameters: TEXT_MAP,
    ...LEGACY_PARAMETERS,
  }),
  condition_task: object({ op: oneOf(OPERATORS, REQUIRED), left: text(REQUIRED), right: text(REQUIRED) }),
  clean_rooms_notebook_task: object({
    clean_room_name: REQUIRED_TEXT,
    notebook_name: REQUIRED_TEXT,
    etag: text(),
    notebook_base_parameters: TEXT_MAP,
  }),
  dashboard_task: object({
    dashboard_id: text(),
    warehouse_id: text(),
    filters: mapOf({ type: 'any' }),
    subscription: object({ subscribers: SUBSCRIPTIONS, paused: flag, custom_subject: text() }),
  }),
  alert_task: object({
    alert_id: text(),
    warehouse_id: text(),
    workspace_path: text(),
    parameters: mapOf({ type: 'any' }),
    subscribers: SUBSCRIPTIONS,
  }),
  dbt_cloud_task: object(),
  dbt_platform_task: object(),
  power_bi_task: object(),
  gen_ai_compute_task: object(),
  ai_runtime_task: object(),
  genie_task: object(),
  agentic_task: object(),
  python_operator_task: object(),
};

const INNER_TASK: Rules = {
  ...KINDS,
  ...NOTIFICATIONS,
  task_key: text(KEY),
  description: text({ mostBytes: 4096 }),
  depends_on: listOf(object({ task_key: REQUIRED_TEXT, outcome: oneOf(['true', 'false']) })),
  run_if: oneOf(RUN_IFS),
  existing_cluster_id: text(),
  new_cluster: object(),
  job_cluster_key: text(),
  environment_key: text(),
  libraries: listOf(object()),
  timeout_seconds: integer({ least: 0 }),
  // -1 means no limit.
  max_retries: integer({ least: -1 }),
  min_retry_interval_millis: integer({ least: 0 }),
  retry_on_timeout: flag,
  disable_auto_optimization: flag,
  disabled: flag,
};

export const TASK: Rules = {
  ...INNER_TASK,
  for_each_task: object({
    inputs: REQUIRED_TEXT,
    concurrency: integer({ least: 1, most: MOST_CONCURRENT_ITERATIONS }),
    task: object(INNER_TASK, REQUIRED),
  }),
};
