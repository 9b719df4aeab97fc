import type { Json } from '../../../../kernel/store/index.ts';
import { isObject, type JsonMembers } from '../../../../kernel/values/index.ts';
import { membersOf } from '../../engine/json.ts';
import type { JobSettings } from '../job.ts';
import { isTaskKind } from '../task-kinds.ts';
import { withoutTasks, withTasks } from './old-form.ts';
import { malformed } from './rules.ts';

/** A partial update: produces the new settings, which still have to be validated as a whole. */

/** Lists whose entries are replaced individually, and the member that is the key of an entry. All other members are replaced as a whole. */
const KEYED: ReadonlyMap<string, string> = new Map([
  ['tasks', 'task_key'],
  ['job_clusters', 'job_cluster_key'],
]);

export function changedSettings(before: JobSettings, sent: unknown, removed: readonly string[]): unknown {
  if (sent !== undefined && !isObject(sent)) throw malformed("the field 'new_settings' must be an object");
  const news = sent ?? {};
  const base = baseOf(before, news);
  const left: Record<string, unknown> = { ...base };
  for (const field of removed) remove(left, field);
  for (const [name, value] of Object.entries(news)) {
    if (value === null || value === undefined || name === '__proto__') continue;
    const key = KEYED.get(name);
    left[name] = key === undefined ? value : merged(key, left[name], value, name);
  }
  return withTasks(left);
}

/** A job with its task at the top level is changed in that form, unless the change contains a list of tasks. */
function baseOf(before: JobSettings, news: Record<string, unknown>): JsonMembers {
  const flat = withoutTasks(before);
  if (flat === before) return before;
  if (news.tasks !== undefined) return { ...before, format: 'MULTI_TASK' };
  if (!Object.keys(news).some(isTaskKind)) return flat;
  return Object.fromEntries(Object.entries(flat).filter(([name]) => !isTaskKind(name)));
}

/** An entry with an existing key replaces the entry with that key; other entries are appended. */
function merged(key: string, before: unknown, sent: unknown, name: string): unknown {
  if (!Array.isArray(sent)) throw malformed(`the field 'new_settings.${name}' must be an array`);
  const news = new Map<unknown, unknown>();
  for (const each of sent as readonly unknown[]) {
    const of = isObject(each) ? each[key] : undefined;
    // An entry without a key, or with a duplicate key, is left for the validation of the whole settings to reject.
    news.set(of === undefined || news.has(of) ? {} : of, each);
  }
  const kept = Array.isArray(before) ? (before as readonly unknown[]) : [];
  const result = kept.map((each) => {
    const of = isObject(each) ? each[key] : undefined;
    if (!news.has(of)) return each;
    const found = news.get(of);
    news.delete(of);
    return found;
  });
  return [...result, ...news.values()];
}

/** Removes a field such as `tags`, or one entry of a list with keys: `tasks/<key>`. Ignores a missing field. */
function remove(settings: Record<string, unknown>, field: string): void {
  const slash = field.indexOf('/');
  if (slash < 0) {
    delete settings[field];
    return;
  }
  const name = field.slice(0, slash);
  const key = KEYED.get(name);
  const list = settings[name];
  if (key === undefined || !Array.isArray(list)) return;
  settings[name] = (list as readonly Json[]).filter((each) => membersOf(each)[key] !== field.slice(slash + 1));
}
