import type { Json } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { originOf } from '../../sql/evaluation/origin.ts';
import { runKey, taskOutputs } from '../collections.ts';
import { errorCodeOf } from '../states.ts';
import type { TaskRun } from '../task-run.ts';
import { type Lookup, memberOf, referencesIn } from './references.ts';
import type { RunChange } from './run-change.ts';

/** Resolves the references in a task's settings: `{{job.id}}`, `{{tasks.first.values.count}}`, `{{input.name}}`. */
export async function lookupFor(change: RunChange, task: TaskRun): Promise<Lookup> {
  const { run } = change;
  const names = referencesIn(change.settingsFor(task));
  const others = [...names].filter((name) => name.startsWith('tasks.')).map((name) => name.split('.')[1] as string);
  const found = others.length > 0 ? await change.newest([...new Set(others)]) : new Map<string, TaskRun>();
  const outputs = await outputsOf(change, names, found);
  const parameters = new Map(run.parameters.map(({ name, value }) => [name, value]));
  return (name) => {
    const [area, ...path] = name.split('.');
    if (area === 'input') return task.iteration && memberOf(task.iteration.input, path);
    if (area === 'tasks' && path[1] === 'output') return memberOf(outputs.get(path[0] as string) ?? {}, path.slice(2));
    if (area === 'tasks') return ofOther(found.get(path[0] as string), path.slice(1));
    if (area === 'job' && path[0] === 'parameters') return parameters.get(path.slice(1).join('.'));
    const known = plain(change, task);
    return Object.hasOwn(known, name) ? known[name] : undefined;
  };
}

/** Output values of the SQL tasks whose `output` is referenced. */
async function outputsOf(
  { tx }: RunChange,
  names: ReadonlySet<string>,
  found: ReadonlyMap<string, TaskRun>,
): Promise<ReadonlyMap<string, JsonMembers>> {
  const outputs = new Map<string, JsonMembers>();
  for (const [, key, what] of [...names].map((name) => name.split('.'))) {
    const other = what === 'output' && key !== undefined && !outputs.has(key) ? found.get(key) : undefined;
    if (!other) continue;
    const output = (await tx.get(taskOutputs, runKey(other.workspaceId, other.id), 'none'))?.value;
    if (output?.sql?.values) outputs.set(other.key, output.sql.values);
  }
  return outputs;
}

function plain({ run, plan, jar }: RunChange, task: TaskRun): Readonly<Record<string, Json | undefined>> {
  const start = new Date(run.startedAt ?? run.createdAt);
  const started = start.toISOString();
  const weekday = start.getUTCDay() || 7;
  return {
    'job.id': run.jobId,
    'job.name': plan.name ?? run.name,
    'job.run_id': run.id,
    'job.repair_count': run.repairs.length,
    'job.start_time.iso_date': started.slice(0, 10),
    'job.start_time.iso_datetime': started.slice(0, 19),
    'job.start_time.timestamp_ms': start.getTime(),
    'job.start_time.year': start.getUTCFullYear(),
    'job.start_time.month': start.getUTCMonth() + 1,
    'job.start_time.day': start.getUTCDate(),
    'job.start_time.hour': start.getUTCHours(),
    'job.start_time.minute': start.getUTCMinutes(),
    'job.start_time.second': start.getUTCSeconds(),
    'job.start_time.iso_weekday': weekday,
    'job.start_time.is_weekday': weekday < 6,
    'job.trigger.type': run.trigger === 'ONE_TIME' ? 'onetime' : run.trigger.toLowerCase(),
    ...tableUpdates(run),
    'task.name': task.key,
    'task.run_id': task.id,
    'task.execution_count': task.attempt + 1,
    'workspace.id': run.workspaceId,
    'workspace.url': originOf(jar),
  };
}

/** Table changes of the trigger; empty values if no table trigger started the run. */
function tableUpdates({ updatedTables = [] }: RunChange['run']): Readonly<Record<string, Json>> {
  const area = 'job.trigger.table_update';
  const each = updatedTables.flatMap(({ name, version, at }): [string, Json][] => [
    [`${area}.${name}.version`, version],
    [`${area}.${name}.commit_timestamp.iso_datetime`, new Date(at).toISOString().slice(0, 19)],
  ]);
  return {
    [`${area}.updated_tables`]: JSON.stringify(updatedTables.map(({ name }) => name)),
    ...Object.fromEntries(each),
  };
}

function ofOther(other: TaskRun | undefined, [what, ...path]: readonly string[]): Json | undefined {
  if (!other) return undefined;
  if (what === 'run_id') return other.id;
  if (what === 'result_state') return other.ending?.outcome.toLowerCase();
  if (what === 'error_code') return other.ending && errorCodeOf(other.ending);
  if (what === 'values') return other.values && memberOf(other.values, path);
  return undefined;
}
