import type { Filter, Order } from '../../../kernel/store/index.ts';
import { TABLE_ORDER } from '../records/conditions.ts';

/** Orders that an index supports, by the first column of the index. */
const INDEXED: Readonly<Record<string, readonly Order[]>> = {
  t1: TABLE_ORDER,
  t2: [{ field: 't2' }, { field: 't1' }],
  t3: [{ field: 't3' }, { field: 't1' }],
  n1: [{ field: 'n1' }],
  modified: [{ field: 'modified' }],
};

const COLUMNS = Object.keys(INDEXED);
const EXACT: ReadonlySet<string> = new Set(['eq']);
const RANGES: ReadonlySet<string> = new Set(['lt', 'le', 'gt', 'ge', 'startsWith']);

/**
 * Default order of a list. It follows the index that finds the records: with another order the database has to choose between finding first
 * and reading in order, and on a long list the wrong choice is a thousand times slower.
 */
export function usualOrder(filter: Filter): readonly Order[] {
  return INDEXED[found(filter, EXACT) ?? found(filter, RANGES) ?? 't1'] as readonly Order[];
}

function found(filter: Filter, operators: ReadonlySet<string>): string | undefined {
  const named = new Set(columnsIn(filter, operators));
  return COLUMNS.find((column) => named.has(column));
}

/** Columns that a condition compares for every record of the result. */
function columnsIn(filter: Filter, operators: ReadonlySet<string>): readonly string[] {
  if (filter.op === 'and') return filter.args.flatMap((arg) => columnsIn(arg, operators));
  return 'field' in filter && operators.has(filter.op) ? [filter.field] : [];
}
