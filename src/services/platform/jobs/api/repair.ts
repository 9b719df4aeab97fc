import { allOf, eq, readAll, type Tx } from '../../../../kernel/store/index.ts';
import { membersOf, textsOf } from '../../engine/json.ts';
import type { PlatformCall } from '../../jar.ts';
import { jobKey, jobs, runKey, runPlans, taskRuns } from '../collections.ts';
import type { JobSettings } from '../job.ts';
import type { Run } from '../run.ts';
import { repairRun } from '../running/repair.ts';
import { overridingOf, parametersOf, readRunRequest } from '../settings/parameters.ts';
import { invalid } from '../settings/rules.ts';
import type { TaskRun } from '../task-run.ts';
import { findRun } from './access.ts';
import { jobErrors } from './errors.ts';
import { bodyOf, idIn, optionalId } from './request.ts';

/** `runs/repair`: runs some tasks of an ended run again, with the current settings of the job. */
export async function repair(call: PlatformCall): Promise<string> {
  const request = readRunRequest(bodyOf(call));
  const id = idIn(request, 'run_id');
  const latest = optionalId(request, 'latest_repair_id');
  const named = request.rerun_tasks === undefined ? undefined : textsOf(request.rerun_tasks);
  const allFailed = request.rerun_all_failed_tasks === true;
  if ((named !== undefined && named.length > 0) === allFailed)
    throw invalid('Exactly one of rerun_tasks and rerun_all_failed_tasks must be given.');
  await call.jar.taskImages.refresh();
  return call.jar.store.transact(async (tx) => {
    const run = await findRun(call, id, 'run', tx);
    if (run.state !== 'TERMINATED')
      throw jobErrors.INVALID_STATE__Active({ run: id, state: run.state, verb: 'repaired' });
    const newest = run.repairs.at(-1)?.id;
    if (latest !== newest && (newest !== undefined || latest !== undefined))
      throw jobErrors.INVALID_STATE__LatestRepair({ run: id, latest: newest ?? 'none' });
    const settings = await currentSettings(tx, run);
    const chosen = new Set(allFailed ? await failedTasks(tx, run, settings) : named);
    checkKeys(settings, chosen);
    if (request.rerun_dependent_tasks === true) addDependants(settings, chosen);
    if (chosen.size === 0) throw invalid(`Run ${id} has no failed tasks to repair.`);
    const given = { ...valuesOf(run), ...membersOf(request.job_parameters) };
    return repairRun(tx, call.jar, run, {
      taskKeys: (settings.tasks ?? []).flatMap(({ task_key: key }) => (chosen.has(key) ? [key] : [])),
      settings,
      overriding: { ...run.overriding, ...overridingOf(request) },
      parameters: parametersOf(settings, given),
    });
  });
}

/** The run keeps its parameter values unless the repair overrides them. */
const valuesOf = ({ parameters }: Run) => Object.fromEntries(parameters.map(({ name, value }) => [name, value]));

/** The current settings of the job. For a submitted run, or if the job is deleted: the settings that the run was created with. */
async function currentSettings(tx: Tx, { workspaceId, jobId, id }: Run): Promise<JobSettings> {
  const job = jobId === undefined ? undefined : (await tx.get(jobs, jobKey(workspaceId, jobId), 'none'))?.value;
  return job?.settings ?? (await tx.get(runPlans, runKey(workspaceId, id), 'none'))?.value.settings ?? {};
}

const GOOD: ReadonlySet<string> = new Set(['SUCCESS', 'SUCCESS_WITH_FAILURES', 'EXCLUDED', 'DISABLED']);

/** Every task that did not succeed, and every task that was added to the job since. */
async function failedTasks(tx: Tx, run: Run, { tasks = [] }: JobSettings): Promise<readonly string[]> {
  const filter = allOf(eq('run', runKey(run.workspaceId, run.id)), eq('newest', true));
  const found = await readAll(tx, taskRuns, { filter });
  const isGood = ({ ending }: TaskRun): boolean => GOOD.has(ending?.outcome ?? '');
  const good = new Set(found.flatMap(({ value }) => (isGood(value) ? [value.key] : [])));
  return tasks.flatMap(({ task_key: key }) => (good.has(key) ? [] : [key]));
}

function checkKeys({ tasks = [] }: JobSettings, chosen: ReadonlySet<string>): void {
  const known = new Set(tasks.map(({ task_key: key }) => key));
  const unknown = [...chosen].find((key) => !known.has(key));
  if (unknown !== undefined)
    throw invalid(`rerun_tasks names the task '${unknown.slice(0, 100)}', which does not exist.`);
}

function addDependants({ tasks = [] }: JobSettings, chosen: Set<string>): void {
  const dependants = new Map<string, string[]>();
  for (const { task_key: key, depends_on: upstream = [] } of tasks) {
    for (const { task_key: each } of upstream) {
      const found = dependants.get(each);
      if (found) found.push(key);
      else dependants.set(each, [key]);
    }
  }
  // The set grows during the iteration; each key is visited once.
  for (const key of chosen) for (const each of dependants.get(key) ?? []) chosen.add(each);
}
