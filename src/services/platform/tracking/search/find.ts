import { allOf, eq, type Filter, type Order, type Position, type Reader } from '../../../../kernel/store/index.ts';
import { headOf } from '../collections.ts';
import { valueFilter } from './compile.ts';
import type { Comparison } from './language.ts';
import { HEAD, NUMBER, PATH, type Scope, type Searchable, type ValueColumn } from './searchable.ts';

/** Number of documents per query. */
const SLICE = 1000;

/** A record that one comparison of a filter finds. */
export interface Found {
  readonly key: string;
  readonly scope: Scope;
}

/**
 * The records that satisfy the most selective comparison of a filter, found by the index of its values. Returns undefined if every
 * comparison matches more than `most` records, or if no index can evaluate any of them.
 */
export async function findByValues(
  reader: Pick<Reader, 'query'>,
  searchable: Searchable<never>,
  scopes: readonly Scope[],
  comparisons: readonly Comparison[],
  most: number,
): Promise<readonly Found[] | undefined> {
  for (const comparison of comparisons) {
    const column = searchable.values[comparison.entity];
    const filter = column && indexedFilter(column, comparison);
    if (!filter) continue;
    // The order of the index; without it, the store would scan the keys of the whole collection.
    const fields = [column.type === 'text' ? HEAD : NUMBER, searchable.tie];
    const order = fields.filter((field) => field in column.collection.fields).map((field) => ({ field }));
    const found = await findAll(reader, column, scopes, comparison.key, { filter, order }, most);
    if (found) return found;
  }
  return undefined;
}

/** Undefined if the whole index of values would have to be scanned. */
function indexedFilter(column: ValueColumn<never>, comparison: Comparison): Filter | undefined {
  const { operator, value } = comparison;
  if (operator === 'IS NULL') return undefined;
  if (operator === 'IS NOT NULL') return allOf();
  if (column.type === 'number') return valueFilter(column, comparison);
  if (operator === '=') return valueFilter(column, comparison);
  if (operator === 'IN' && Array.isArray(value)) return { op: 'in', field: HEAD, values: value.map(headOf) };
  if (operator !== 'LIKE' || typeof value !== 'string') return undefined;
  const start = value.slice(0, value.search(/[%_]|$/));
  return start === '' ? undefined : { op: 'startsWith', field: HEAD, value: headOf(start) };
}

async function findAll(
  reader: Pick<Reader, 'query'>,
  column: ValueColumn<never>,
  scopes: readonly Scope[],
  name: string,
  { filter, order }: { readonly filter: Filter; readonly order: readonly Order[] },
  most: number,
): Promise<readonly Found[] | undefined> {
  const found: Found[] = [];
  for (const scope of scopes) {
    const query = { filter: allOf(eq(PATH, scope.path(name)), filter), order, limit: Math.min(SLICE, most + 1) };
    let after: Position | undefined;
    do {
      const page = await reader.query(column.collection, { ...query, ...(after && { after }) });
      for (const { value } of page.items) found.push({ key: column.thingOf(value), scope });
      if (found.length > most) return undefined;
      after = page.next;
    } while (after);
  }
  return found;
}
