import type { TaskSettings } from '../job.ts';
import { invalid } from './rules.ts';

/**
 * Throws if keys are not unique, a dependency is not a task, an outcome refers to a task that is not a condition, or the dependencies
 * contain a cycle.
 */
export function checkGraph(tasks: readonly TaskSettings[]): void {
  const byKey = new Map<string, TaskSettings>();
  for (const task of tasks) {
    if (byKey.has(task.task_key))
      throw invalid(`Task key '${task.task_key}' is not unique: it is used more than once.`);
    byKey.set(task.task_key, task);
  }
  for (const task of tasks) checkDependencies(task, byKey);
  const circle = findCircle(tasks);
  if (circle) throw invalid(`The tasks depend on each other in a cycle: ${shown(circle)}.`);
}

function checkDependencies(
  { task_key: key, depends_on: dependencies = [] }: TaskSettings,
  byKey: ReadonlyMap<string, TaskSettings>,
): void {
  const seen = new Set<string>();
  for (const { task_key: upstream, outcome } of dependencies) {
    const found = byKey.get(upstream);
    if (!found) throw invalid(`Task '${key}' depends on the task '${upstream.slice(0, 100)}', which does not exist.`);
    if (outcome !== undefined && found.condition_task === undefined)
      throw invalid(`Task '${key}' depends on an outcome of '${upstream}', which is not a condition_task.`);
    const edge = `${upstream}/${outcome ?? ''}`;
    if (seen.has(edge)) throw invalid(`Task '${key}' depends on the task '${upstream}' more than once.`);
    seen.add(edge);
  }
}

/** Removes tasks in the order in which they can run; the remaining tasks contain a cycle. Returns the keys of one cycle. */
function findCircle(tasks: readonly TaskSettings[]): readonly string[] | undefined {
  const waiting = new Map<string, number>();
  const dependants = new Map<string, string[]>();
  for (const { task_key: key, depends_on: dependencies = [] } of tasks) {
    const upstream = new Set(dependencies.map((each) => each.task_key));
    waiting.set(key, upstream.size);
    for (const each of upstream) {
      const found = dependants.get(each);
      if (found) found.push(key);
      else dependants.set(each, [key]);
    }
  }
  const free = [...waiting].flatMap(([key, count]) => (count === 0 ? [key] : []));
  for (let key = free.pop(); key !== undefined; key = free.pop()) {
    waiting.delete(key);
    for (const dependant of dependants.get(key) ?? []) {
      const left = (waiting.get(dependant) ?? 0) - 1;
      waiting.set(dependant, left);
      if (left === 0) free.push(dependant);
    }
  }
  if (waiting.size === 0) return undefined;
  return walkBack(tasks, waiting);
}

/** Follows dependencies from any remaining task until a task repeats. */
function walkBack(tasks: readonly TaskSettings[], left: ReadonlyMap<string, number>): readonly string[] {
  const byKey = new Map(tasks.map((task) => [task.task_key, task]));
  const path: string[] = [];
  const places = new Map<string, number>();
  for (let key = left.keys().next().value; key !== undefined; ) {
    const place = places.get(key);
    if (place !== undefined) return path.slice(place).reverse();
    places.set(key, path.length);
    path.push(key);
    key = byKey.get(key)?.depends_on?.find((each) => left.has(each.task_key))?.task_key;
  }
  return path;
}

const SHOWN = 10;

const shown = (keys: readonly string[]): string =>
  [...keys.slice(0, SHOWN), ...(keys.length > SHOWN ? ['…'] : []), keys[0]].join(' -> ');
