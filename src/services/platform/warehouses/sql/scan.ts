import { bind, type Scope } from './bind.ts';
import { alike, type Bound, type Column, type Row, truth } from './bound.ts';
import { placeOf } from './column-place.ts';
import { type Meter, type Steps, waitFor } from './meter.ts';
import { SqlProblem } from './problem.ts';
import type { ColumnBound, StoredRelation } from './relations.ts';
import type { Body, Expression, Query, Source } from './syntax.ts';
import type { Table } from './table.ts';
import { typeText } from './types.ts';
import { partsOf } from './walk.ts';

/** Reads the rows of a table: only the columns, files and rows that the query needs. */

/** The data that a query needs of one of its tables. */
export interface ScanRequest {
  /** Conditions that its rows have to satisfy; includes conditions on other tables. */
  readonly conditions: readonly Expression[];
  /** In lower case. Undefined: all columns. */
  readonly names: ReadonlySet<string> | undefined;
  /** Number of rows satisfying all conditions that suffices. */
  readonly most?: number;
}

export const EVERYTHING: ScanRequest = { conditions: [], names: undefined };

/** The names of the columns that a query uses; undefined if `*` selects all of them. */
export function namesIn(
  body: Extract<Body, { is: 'select' }>,
  { orders }: Pick<Query, 'orders'>,
): ScanRequest['names'] {
  if (body.items.some(({ is }) => is === 'all')) return undefined;
  const names = new Set<string>();
  const add = (expression: Expression): void => {
    if (expression.is === 'column') for (const part of expression.parts) names.add(part.toLowerCase());
    for (const part of partsOf(expression)) add(part);
  };
  for (const item of body.items) if (item.is === 'one') add(item.of);
  for (const each of [body.where, body.having, ...body.groups, ...orders.map(({ of }) => of)]) if (each) add(each);
  return addJoined(body.from, names, add) ? names : undefined;
}

/** Returns false if a join uses columns that it does not name. */
function addJoined(source: Source, names: Set<string>, add: (expression: Expression) => void): boolean {
  if (source.is !== 'join') return true;
  if (source.using === 'natural') return false;
  for (const name of source.using ?? []) names.add(name.toLowerCase());
  if (source.on) add(source.on);
  return addJoined(source.left, names, add) && addJoined(source.right, names, add);
}

export function* scanned(
  relation: StoredRelation,
  columns: readonly Column[],
  wish: ScanRequest,
  scope: Scope,
): Steps<Table> {
  const { meter } = scope;
  const own = wish.conditions.flatMap((each) => conditionOf(each, scope) ?? []);
  const isDecided = own.length === wish.conditions.length;
  const most = isDecided ? (wish.most ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
  const rows: Row[] = [];
  if (most === 0) return { columns, rows };
  const needed = new Set(
    columns.flatMap(({ name }, index) => (!wish.names || wish.names.has(name.toLowerCase()) ? [index] : [])),
  );
  const bounds = boundsOf(wish.conditions, scope);
  const batches = relation.read({ needed, bounds })[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value: batch } = yield* waitFor(() => batches.next());
      if (done) return { columns, rows };
      for (const row of batch) {
        if (meter.isTurnOver) yield;
        if (!take(row, own, meter)) continue;
        meter.keep(row);
        rows.push(row);
        if (rows.length >= most) return { columns, rows };
      }
    }
  } finally {
    // Stops reading the files of a table if a few rows suffice.
    void batches.return?.(undefined);
  }
}

function take(row: Row, conditions: readonly Bound[], meter: Meter): boolean {
  meter.row();
  return conditions.every((condition) => condition.of(row) === true);
}

/** The condition, if it uses only columns of this table. */
function conditionOf(condition: Expression, scope: Scope): Bound | undefined {
  try {
    return truth(bind(condition, scope));
  } catch (error) {
    // The later binding among the columns of all tables reports the error.
    if (error instanceof SqlProblem && error.sqlState !== '54000') return undefined;
    throw error;
  }
}

const MIRRORED = { '=': '=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;
type BoundOp = keyof typeof MIRRORED;

/** The conditions that the statistics of files can decide. */
export const boundsOf = (conditions: readonly Expression[], scope: Scope): readonly ColumnBound[] =>
  conditions.flatMap((each) => boundOf(each, scope) ?? []);

/** A comparison of a column of this table with a value of the same type. */
function boundOf(condition: Expression, scope: Scope): ColumnBound | undefined {
  if (condition.is !== 'binary' || !Object.hasOwn(MIRRORED, condition.op)) return undefined;
  const op = condition.op as BoundOp;
  const { left, right } = condition;
  if (left.is === 'column') return comparedWith(left, op, right, scope);
  return right.is === 'column' ? comparedWith(right, MIRRORED[op], left, scope) : undefined;
}

function comparedWith(
  name: Extract<Expression, { is: 'column' }>,
  op: BoundOp,
  other: Expression,
  scope: Scope,
): ColumnBound | undefined {
  try {
    const column = placeOf(name, scope);
    const [own, compared] = alike([bind(name, scope), bind(other, scope)], op) as [Bound, Bound];
    if (!compared.literal || typeText(own.type) !== typeText((scope.columns[column] as Column).type)) return undefined;
    const value = compared.of([]);
    return value === null ? undefined : { column, op, value };
  } catch (error) {
    if (error instanceof SqlProblem && error.sqlState !== '54000') return undefined;
    throw error;
  }
}
