/** Task kinds, named by the member of the task's settings, and how each kind is executed. */
export const TASK_KINDS = {
  notebook_task: 'program',
  spark_python_task: 'program',
  python_wheel_task: 'program',
  spark_jar_task: 'program',
  spark_submit_task: 'program',
  sql_task: 'program',
  dbt_task: 'program',
  pipeline_task: 'update',
  clean_rooms_notebook_task: 'program',
  dashboard_task: 'program',
  alert_task: 'program',
  dbt_cloud_task: 'program',
  dbt_platform_task: 'program',
  power_bi_task: 'program',
  gen_ai_compute_task: 'program',
  ai_runtime_task: 'program',
  genie_task: 'program',
  agentic_task: 'program',
  python_operator_task: 'program',
  run_job_task: 'run',
  condition_task: 'condition',
  for_each_task: 'forEach',
} as const;

export type TaskKind = keyof typeof TASK_KINDS;

export const isTaskKind = (name: string): name is TaskKind => Object.hasOwn(TASK_KINDS, name);

/** The member of a task's settings that determines its kind. */
export const kindOfTask = (settings: Readonly<Record<string, unknown>>): TaskKind | undefined =>
  Object.keys(settings).find((name): name is TaskKind => isTaskKind(name) && settings[name] !== undefined);
