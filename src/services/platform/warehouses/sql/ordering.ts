import { bind, type Scope } from './bind.ts';
import type { Bound, Column, Row } from './bound.ts';
import { checkOrdered, compare } from './compare.ts';
import type { Meter, Steps } from './meter.ts';
import { problems } from './problem.ts';
import type { Order } from './syntax.ts';
import type { SqlValue } from './types.ts';

/** Sort value of a row of the result; `input` is the row that it was computed from. */
export type OrderKey = (row: Row, input: Row) => SqlValue;

/** Columns of the result by name or number, otherwise expressions in `scope`. */
export function orderKeys(orders: readonly Order[], columns: readonly Column[], scope: Scope): readonly OrderKey[] {
  return orders.map(({ of }) => {
    const place = of.is === 'literal' && typeof of.value === 'bigint' ? Number(of.value) - 1 : -1;
    const isName = of.is === 'column' && of.parts.length === 1;
    const named = isName ? columns.findIndex(({ name }) => name.toLowerCase() === of.parts[0]?.toLowerCase()) : -1;
    scope.meter.spend(isName ? columns.length : 1);
    const index = place >= 0 ? place : named;
    if (index >= columns.length) throw problems.mismatch(`ORDER BY position ${index + 1} is not in the select list.`);
    const column = columns[index];
    const bound = column ? undefined : bind(of, scope);
    checkOrdered((column ?? (bound as Bound)).type, 'ORDER BY');
    if (!bound) return (row) => row[index] ?? null;
    return (_row, input) => bound.of(input);
  });
}

interface Keyed {
  readonly row: Row;
  readonly key: readonly SqlValue[];
}

/** Runs up to this length are sorted in one go; longer lists are merged. */
const SHORT = 512;
const STEPS_OF_A_COMPARISON = 2;

/** The rows in order. `inputs` are the rows that they were computed from, in the same order. */
export function* sorted(
  rows: readonly Row[],
  inputs: readonly Row[],
  orders: readonly Order[],
  keys: readonly OrderKey[],
  meter: Meter,
): Steps<readonly Row[]> {
  if (orders.length === 0) return rows;
  const before = (left: Keyed, right: Keyed): number => {
    meter.spend(STEPS_OF_A_COMPARISON);
    for (const [at, { descending, nullsFirst }] of orders.entries()) {
      const [a, b] = [left.key[at] ?? null, right.key[at] ?? null];
      if (a === null && b === null) continue;
      if (a === null || b === null) return (a === null) === nullsFirst ? -1 : 1;
      if (typeof a === 'string') meter.read(a);
      const order = compare(a, b);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  };
  let lists: Keyed[][] = [];
  for (const [at, row] of rows.entries()) {
    if (meter.isTurnOver) yield;
    const keyed = { row, key: keys.map((key) => key(row, inputs[at] as Row)) };
    const last = lists.at(-1);
    if (last && last.length < SHORT) last.push(keyed);
    else lists.push([keyed]);
  }
  for (const list of lists) {
    if (meter.isTurnOver) yield;
    list.sort(before);
  }
  while (lists.length > 1) {
    const merged: Keyed[][] = [];
    for (let at = 0; at < lists.length; at += 2)
      merged.push(yield* merge(lists[at] as Keyed[], lists[at + 1] ?? [], before, meter));
    lists = merged;
  }
  return (lists[0] ?? []).map(({ row }) => row);
}

function* merge(
  left: readonly Keyed[],
  right: readonly Keyed[],
  before: (left: Keyed, right: Keyed) => number,
  meter: Meter,
): Steps<Keyed[]> {
  const merged: Keyed[] = [];
  let [l, r] = [0, 0];
  while (l < left.length || r < right.length) {
    if (meter.isTurnOver) yield;
    const [a, b] = [left[l], right[r]];
    if (a && (!b || before(a, b) <= 0)) {
      merged.push(a);
      l++;
    } else if (b) {
      merged.push(b);
      r++;
    }
  }
  return merged;
}
