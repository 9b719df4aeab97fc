import { alike, type Bound, type Column, type Row } from './bound.ts';
import { distinct, keyOf, slot } from './grouping.ts';
import type { Meter, Steps } from './meter.ts';
import { problems } from './problem.ts';
import type { Body } from './syntax.ts';
import type { Table } from './table.ts';

/** `UNION`, `INTERSECT` and `EXCEPT` of two tables. Nulls count as equal. */
export function* combined(
  { op, all }: Pick<Extract<Body, { is: 'set' }>, 'op' | 'all'>,
  first: Table,
  second: Table,
  meter: Meter,
): Steps<Table> {
  if (first.columns.length !== second.columns.length)
    throw problems.columnCount(op, first.columns.length, second.columns.length);
  const pairs = first.columns.map(
    ({ type }, at) =>
      alike([slot(type, at), slot((second.columns[at] as Column).type, at)], op.toUpperCase()) as [Bound, Bound],
  );
  const columns = first.columns.map(({ name }, at) => ({ name, type: (pairs[at] as [Bound, Bound])[0].type }));
  const left = yield* shaped(first.rows, pairs, 0, meter);
  const right = yield* shaped(second.rows, pairs, 1, meter);
  const rows = op === 'union' ? [...left, ...right] : yield* compared(op, all, left, right, meter);
  return { columns, rows: all ? rows : yield* distinct(rows, meter) };
}

/** The rows of one side, converted to the common types of both. */
function* shaped(
  rows: readonly Row[],
  pairs: readonly (readonly [Bound, Bound])[],
  side: 0 | 1,
  meter: Meter,
): Steps<readonly Row[]> {
  const made: Row[] = [];
  for (const row of rows) {
    meter.row();
    if (meter.isTurnOver) yield;
    const values = pairs.map((pair) => pair[side].of(row));
    meter.keep(values);
    made.push(values);
  }
  return made;
}

/**
 * Rows of the left side that the right side contains, or does not contain. With `ALL`, each row of the right side matches one row of the
 * left.
 */
function* compared(
  op: 'intersect' | 'except',
  all: boolean,
  left: readonly Row[],
  right: readonly Row[],
  meter: Meter,
): Steps<readonly Row[]> {
  const counts = new Map<string, number>();
  for (const row of right) {
    if (meter.isTurnOver) yield;
    const key = keyOf(row, meter);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const rows: Row[] = [];
  for (const row of left) {
    if (meter.isTurnOver) yield;
    const key = keyOf(row, meter);
    const count = counts.get(key) ?? 0;
    if (all && count > 0) counts.set(key, count - 1);
    if (count > 0 === (op === 'intersect')) rows.push(row);
  }
  return rows;
}
