import { type Filter, type Reader, readAll, type Stored } from '../../../kernel/store/index.ts';
import { type Subscription, subscriptions, watchKey } from './collection.ts';

/**
 * Subscriptions to tables of a company that are live at `now`, by table: an expired subscription is excluded at once, even if the work that
 * removes it has not run yet. Tables without subscriptions are not in the map.
 */
export async function watchersOf(
  reader: Reader,
  companyKey: string,
  tables: readonly string[],
  now: number,
): Promise<Map<string, Stored<Subscription>[]>> {
  const watchers = new Map<string, Stored<Subscription>[]>();
  if (tables.length === 0) return watchers;
  const [first = '', ...others] = new Set(tables);
  // Usually there is one table, and an equality is cheaper for the database than a list.
  const filter: Filter =
    others.length === 0
      ? { op: 'eq', field: 'watch', value: watchKey(companyKey, first) }
      : { op: 'in', field: 'watch', values: [first, ...others].map((table) => watchKey(companyKey, table)) };
  for (const stored of await readAll(reader, subscriptions, { filter })) {
    const { expiresAt, target } = stored.value;
    if (expiresAt <= now) continue;
    const same = watchers.get(target.table);
    if (same) same.push(stored);
    else watchers.set(target.table, [stored]);
  }
  return watchers;
}
