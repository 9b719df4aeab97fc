import { compareText, type JsonMembers } from '../../../../kernel/values/index.ts';
import { listOf, membersOf, textOf } from '../../engine/json.ts';
import type { JobSettings, TaskSettings } from '../job.ts';
import { checkGraph } from './graph.ts';
import { GIT_PROVIDERS, JOB, SUBMITTED } from './job-rules.ts';
import { LISTS } from './notification-rules.ts';
import { invalid, type Rules, readMembers } from './rules.ts';
import { checkTask, surroundingsOf } from './tasks.ts';
import { checkTiming } from './timing.ts';

/** Settings as they are stored: validated, with server defaults filled in. */

export interface Allowed {
  /** Depends on the API version. */
  readonly tasks: number;
}

/** Complete settings of a job, not a partial update. */
export function completeJob(sent: unknown, allowed: Allowed): JobSettings {
  const settings = checked(JOB, sent, allowed);
  checkTiming(settings);
  checkParameters(settings);
  return {
    ...settings,
    name: settings.name === undefined || settings.name === '' ? 'Untitled' : settings.name,
    ...(settings.schedule && { schedule: { pause_status: 'UNPAUSED' as const, ...settings.schedule } }),
    ...(settings.trigger && { trigger: { pause_status: 'UNPAUSED' as const, ...settings.trigger } }),
    ...(settings.continuous && { continuous: { pause_status: 'UNPAUSED' as const, ...settings.continuous } }),
    max_concurrent_runs: settings.max_concurrent_runs ?? 1,
    format: settings.format ?? 'MULTI_TASK',
  };
}

/** Settings of a submitted run. The caller has removed the members of the request that are not settings. */
export function completeSubmitted(sent: unknown, allowed: Allowed): JobSettings {
  const settings = checked(SUBMITTED, sent, allowed);
  if ((settings.tasks ?? []).length === 0) throw invalid('A submitted run must have at least one task.');
  const clustered = settings.tasks?.find(({ job_cluster_key: key }) => key !== undefined);
  if (clustered) throw invalid(`Task ${clustered.task_key}: job_cluster_key is not possible in a submitted run.`);
  return { ...settings, format: 'MULTI_TASK' };
}

function checked(rules: Rules, sent: unknown, { tasks: most }: Allowed): JobSettings {
  const settings = readMembers(rules, sent) as JobSettings;
  const { tasks = [], git_source: git } = settings;
  if (tasks.length > most) throw tooMany(tasks.length, most);
  uniqueKeys(settings.job_clusters, 'job_cluster_key');
  uniqueKeys(settings.environments, 'environment_key');
  const where = surroundingsOf(settings);
  for (const task of tasks) checkTask(task, where);
  checkGraph(tasks);
  if (git !== undefined) checkGit(git);
  const stray =
    git === undefined ? tasks.find((task) => SOURCED.some((kind) => sourceOf(task, kind) === 'GIT')) : undefined;
  if (stray) throw invalid(`Task ${stray.task_key} has the source GIT, but there is no git_source.`);
  return {
    ...settings,
    tasks: tasks.map((task) => completeTask(task, git !== undefined)),
    email_notifications: settings.email_notifications ?? {},
    webhook_notifications: settings.webhook_notifications ?? {},
    timeout_seconds: settings.timeout_seconds ?? 0,
  };
}

/** Limit of the newest version; older versions have lower limits. */
const MOST_TASKS = 1000;

/** The text tells users of older clients what to do. */
const tooMany = (count: number, most: number) =>
  invalid(
    most < MOST_TASKS && count <= MOST_TASKS
      ? `Resources with more than ${most} tasks can only be handled by API 2.2 and above. Your resource has ${count} tasks.`
      : `The number of tasks ${count} exceeds the maximum of ${MOST_TASKS}.`,
  );

function completeTask(task: TaskSettings, hasGit: boolean): TaskSettings {
  const { depends_on: dependencies, notebook_task: notebook, for_each_task: forEach } = task;
  const inner = membersOf(membersOf(forEach).task);
  const { sql_task: sql } = task;
  const { file } = membersOf(sql);
  return {
    ...task,
    ...(dependencies && {
      depends_on: [...dependencies].sort((one, other) => compareText(one.task_key, other.task_key)),
    }),
    ...(notebook !== undefined && { notebook_task: withSource(membersOf(notebook), hasGit) }),
    ...(file !== undefined && { sql_task: { ...membersOf(sql), file: withSource(membersOf(file), hasGit) } }),
    ...(forEach !== undefined && {
      for_each_task: { ...membersOf(forEach), task: completeTask(inner as TaskSettings, hasGit) },
    }),
    run_if: task.run_if ?? 'ALL_SUCCESS',
    timeout_seconds: task.timeout_seconds ?? 0,
    email_notifications: task.email_notifications ?? {},
  };
}

const SOURCED = ['notebook_task', 'spark_python_task', 'dbt_task'] as const;

/** `source` of the task, or of the task inside a for-each task. */
const sourceOf = (task: JsonMembers, kind: (typeof SOURCED)[number]): JsonMembers[string] =>
  membersOf(task[kind] ?? membersOf(membersOf(task.for_each_task).task)[kind]).source;

const withSource = (notebook: JsonMembers, hasGit: boolean): JsonMembers => ({
  source: hasGit ? 'GIT' : 'WORKSPACE',
  ...notebook,
});

function uniqueKeys(list: JsonMembers[string], member: string): void {
  const seen = new Set<unknown>();
  for (const each of listOf(list)) {
    const key = membersOf(each)[member];
    if (seen.has(key)) throw invalid(`${member} '${String(key)}' is used more than once.`);
    seen.add(key);
  }
}

function checkParameters({ parameters = [] }: JobSettings): void {
  const names = new Set<string>();
  for (const { name } of parameters) {
    if (names.has(name)) throw invalid(`The job parameter '${name}' is defined more than once.`);
    names.add(name);
  }
}

/** Clients match the message for the missing provider. */
function checkGit(git: JsonMembers): void {
  const { git_url: url, git_provider: provider, git_branch: branch, git_tag: tag, git_commit: commit } = git;
  const known = GIT_PROVIDERS.map((each) => each.toLowerCase());
  if (typeof provider !== 'string' || !known.includes(provider.toLowerCase()))
    throw invalid(`git_source.git_provider must be one of: ${known.join(',')}`);
  // Without any of them, the repository's default branch is used.
  if ([branch, tag, commit].filter((each) => each !== undefined).length > 1)
    throw invalid('git_source can have only one of git_branch, git_tag and git_commit.');
  // Credentials in the URL would be readable for everyone who may view the job.
  const { username, password } = URL.parse(String(url)) ?? { username: '', password: '' };
  if (username !== '' || password !== '')
    throw invalid('git_source.git_url holds a credential. Create a Git credential instead.');
}

/** The ids of all notification destinations that the settings name. */
export function destinationsOf(settings: JobSettings): ReadonlySet<string> {
  const { tasks = [] } = settings;
  const inner = tasks.map(({ for_each_task: forEach }) => membersOf(membersOf(forEach).task));
  const ids = [settings, ...tasks, ...inner].flatMap(({ webhook_notifications: webhooks }) =>
    LISTS.flatMap((name) => listOf(membersOf(webhooks)[name])).flatMap((entry) => textOf(membersOf(entry).id) ?? []),
  );
  return new Set(ids);
}
