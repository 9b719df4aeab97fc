import { allOf, eq, readAll } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { omitAbsent } from '../../../../kernel/values/index.ts';
import { namesOf } from '../../engine/names.ts';
import { accountIn, type PlatformCall } from '../../jar.ts';
import { runKey, runPlans, taskRuns } from '../collections.ts';
import { durationOfRun } from '../durations.ts';
import type { JobSettings } from '../job.ts';
import type { Repair, Run } from '../run.ts';
import { inputsText } from '../running/inputs.ts';
import { newStatus, oldState } from '../states.ts';
import { kindOfTask } from '../task-kinds.ts';
import type { TaskRun } from '../task-run.ts';
import { arrayPage, cutArrays, ENTRIES, nextArrayToken } from './arrays.ts';
import { pageUrl } from './page-url.ts';
import { flagIn, versionOf } from './request.ts';
import { instanceOf, settingsOf, taskView, timesOf } from './task-view.ts';

const ARRAYS = ['tasks', 'job_clusters', 'job_parameters', 'repair_history'] as const;

/** The fields of a run that lists show. */
function baseView(call: PlatformCall, run: Run, nameOf: (id: string) => string): JsonMembers {
  const { id, jobId, number, createdAt, startedAt, endedAt, parameters, overriding } = run;
  const start = startedAt ?? createdAt;
  return {
    ...(jobId !== undefined && { job_id: Number(jobId) }),
    run_id: Number(id),
    number_in_job: number,
    creator_user_name: nameOf(run.createdBy),
    run_as_user_name: nameOf(run.runAs),
    run_name: run.name,
    run_type: run.type,
    trigger: run.trigger,
    ...(run.waitedForBy !== undefined && { trigger_info: { run_id: Number(run.waitedForBy) } }),
    state: oldState(run),
    status: newStatus(run),
    original_attempt_run_id: Number(id),
    attempt_number: 0,
    start_time: start,
    end_time: endedAt ?? 0,
    setup_duration: run.durations?.setup ?? 0,
    execution_duration: run.durations?.execution ?? 0,
    cleanup_duration: 0,
    ...(endedAt !== undefined && { run_duration: durationOfRun(run, endedAt) }),
    ...(startedAt !== undefined && startedAt > createdAt && { queue_duration: startedAt - createdAt }),
    run_page_url: pageUrl(call, run, id),
    format: 'MULTI_TASK',
    job_parameters: parameters,
    ...(Object.keys(overriding).length > 0 && { overriding_parameters: overriding }),
  };
}

const namesFor = (call: PlatformCall, found: readonly Run[]) =>
  namesOf(
    call.jar.store,
    accountIn(call).id,
    found.flatMap(({ createdBy, runAs }) => [createdBy, runAs]),
  );

export async function planOf({ jar }: PlatformCall, { workspaceId, id }: Run): Promise<JobSettings> {
  return (await jar.store.get(runPlans, runKey(workspaceId, id)))?.value.settings ?? {};
}

/** Task runs in the order of the plan: the newest attempt of each task, or all attempts. Iterations are not included. */
export async function tasksOf(
  call: PlatformCall,
  run: Run,
  plan: JobSettings,
  allAttempts = false,
): Promise<readonly TaskRun[]> {
  const ofRun = eq('run', runKey(run.workspaceId, run.id));
  const filter = allOf(ofRun, allAttempts ? eq('iterationOf', null) : eq('newest', true));
  const places = new Map((plan.tasks ?? []).map(({ task_key: key }, index) => [key, index]));
  const found = (await readAll(call.jar.store, taskRuns, { filter })).map(({ value }) => value);
  const placeOf = ({ key }: TaskRun): number => places.get(key) ?? places.size;
  return found.sort((one, other) => placeOf(one) - placeOf(other) || one.attempt - other.attempt);
}

/** `runs/get` of a run. */
export async function runView(call: PlatformCall, run: Run): Promise<JsonMembers> {
  const { query } = call;
  const { nameOf } = await namesFor(call, [run]);
  const plan = await planOf(call, run);
  const isHistory = flagIn(query, 'include_history');
  const resolves = flagIn(query, 'include_resolved_values');
  const found = await tasksOf(call, run, plan, isHistory);
  const tasks = resolves ? await Promise.all(found.map((task) => withInputs(call, task))) : found;
  const { schedule, job_clusters: clusters, git_source: git } = plan;
  const whole = omitAbsent({
    ...baseView(call, run, nameOf),
    schedule: run.trigger === 'PERIODIC' ? schedule : undefined,
    job_clusters: clusters,
    git_source: git && { ...git, ...snapshotOf(run) },
    ...(versionOf(call) === '2.0' && oldTask(plan)),
    tasks: tasks.map((task) => taskView(call, run, plan, task, { resolves })),
    repair_history: isHistory ? repairsOf(run, tasks) : undefined,
  });
  return paged(call, run.id, whole);
}

/** The inputs of a for-each task are stored separately from its task run. */
async function withInputs({ jar }: PlatformCall, task: TaskRun): Promise<TaskRun> {
  const inputs = task.kind === 'for_each_task' ? await inputsText(jar.store, task) : undefined;
  return inputs === undefined ? task : { ...task, resolved: { inputs } };
}

/** `git_snapshot`: the commit that the tasks were read from. */
const snapshotOf = ({ git }: Run): JsonMembers =>
  git && 'commit' in git ? { git_snapshot: { used_commit: git.commit } } : {};

/** Version 2.0 shows the only task of a run and its cluster as fields of the run. */
function oldTask({ tasks = [] }: JobSettings): JsonMembers {
  const [only, ...others] = tasks;
  const kind = only && kindOfTask(only);
  if (!kind || others.length > 0) return {};
  const { existing_cluster_id, new_cluster, libraries } = only;
  return {
    task: { [kind]: only[kind] },
    cluster_spec: omitAbsent({ existing_cluster_id, new_cluster, libraries }),
  };
}

/**
 * Paginates the arrays of a run if the API version supports it. `hasMore`: an array of which only the requested page was read has further
 * entries.
 */
function paged(call: PlatformCall, id: string, whole: JsonMembers, hasMore = false): JsonMembers {
  if (versionOf(call) !== '2.2') return whole;
  const page = arrayPage(call, `run ${id}`);
  const { members, isCut } = cutArrays(whole, ARRAYS, page.from);
  return {
    ...members,
    ...((isCut || hasMore) && { has_more: true, next_page_token: nextArrayToken(call, page) }),
  };
}

/** `runs/get` of a task run: the run that it belongs to, with the fields of the task run in place of those of the run. */
export async function taskRunView(call: PlatformCall, run: Run, task: TaskRun): Promise<JsonMembers> {
  const { nameOf } = await namesFor(call, [run]);
  const plan = await planOf(call, run);
  const { number_in_job: _number, job_parameters, ...base } = baseView(call, run, nameOf);
  const { run_id, state, status, attempt_number, original_attempt_run_id, run_page_url } = taskView(
    call,
    run,
    plan,
    task,
  );
  const { iterations, hasMore } =
    task.kind === 'for_each_task' ? await iterationsOf(call, task) : { iterations: undefined, hasMore: false };
  return paged(
    call,
    task.id,
    omitAbsent({
      ...base,
      run_id,
      parent_run_id: Number(run.id),
      run_name: task.key,
      trigger: (task.retries ?? 0) > 0 ? 'RETRY' : run.trigger,
      state,
      status,
      attempt_number,
      original_attempt_run_id,
      run_page_url,
      ...timesOf(task),
      ...instanceOf(task),
      run_duration: undefined,
      task: settingsOf(plan, task),
      job_parameters,
      tasks: iterations
        ? undefined
        : [taskView(call, run, plan, task, { resolves: flagIn(call.query, 'include_resolved_values') })],
      iterations: iterations?.map((each) => taskView(call, run, plan, each)),
    }),
    hasMore,
  );
}

interface Iterations {
  readonly iterations: readonly TaskRun[];
  readonly hasMore: boolean;
}

/** Ordered by index. Version 2.2 reads only the requested page, since a task may have thousands of iterations. */
async function iterationsOf(call: PlatformCall, { workspaceId, id }: TaskRun): Promise<Iterations> {
  const { store } = call.jar;
  const filter = allOf(eq('iterationOf', runKey(workspaceId, id)), eq('current', true));
  const order = [{ field: 'iterationIndex' }];
  if (versionOf(call) !== '2.2') {
    const found = await readAll(store, taskRuns, { filter, order });
    return { iterations: found.map(({ value }) => value), hasMore: false };
  }
  const { from } = arrayPage(call, `run ${id}`);
  const { items } = await store.query(taskRuns, { filter, order, skip: from, limit: ENTRIES + 1 });
  return {
    iterations: items.slice(0, ENTRIES).map(({ value }) => value),
    hasMore: items.length > ENTRIES,
  };
}

/** Entries of `runs/list`. */
export async function runViews(
  call: PlatformCall,
  found: readonly Run[],
  expanded: boolean,
): Promise<readonly JsonMembers[]> {
  const { nameOf } = await namesFor(call, found);
  const views: JsonMembers[] = [];
  for (const run of found) {
    const base = baseView(call, run, nameOf);
    if (!expanded) {
      views.push(base);
      continue;
    }
    const plan = await planOf(call, run);
    const tasks = await tasksOf(call, run, plan);
    const whole = omitAbsent({
      ...base,
      job_clusters: plan.job_clusters,
      tasks: tasks.map((task) => taskView(call, run, plan, task)),
    });
    const { members, isCut } = cutArrays(whole, versionOf(call) === '2.2' ? ARRAYS : []);
    views.push({ ...members, ...(isCut && { has_more: true }) });
  }
  return views;
}

/** The original run first, then each repair. */
function repairsOf(run: Run, tasks: readonly TaskRun[]): readonly JsonMembers[] {
  const original = tasks.filter(({ repairId }) => repairId === undefined);
  const ofOriginal = run.original ? ({ state: 'TERMINATED', ending: run.original.ending } as const) : run;
  return [
    {
      type: 'ORIGINAL',
      start_time: run.startedAt ?? run.createdAt,
      end_time: (run.original ?? run).endedAt ?? 0,
      state: oldState(ofOriginal),
      status: newStatus(ofOriginal),
      task_run_ids: original.map(({ id }) => Number(id)),
    },
    ...run.repairs.map(repairView),
  ];
}

function repairView({ id, startedAt, endedAt, ending, taskRuns: made }: Repair): JsonMembers {
  const standing = { state: endedAt === undefined ? ('RUNNING' as const) : ('TERMINATED' as const), ending };
  return {
    type: 'REPAIR',
    id: Number(id),
    start_time: startedAt,
    end_time: endedAt ?? 0,
    state: oldState(standing),
    status: newStatus(standing),
    task_run_ids: made.map(Number),
  };
}
