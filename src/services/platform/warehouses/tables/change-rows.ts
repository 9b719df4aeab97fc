import type { Column } from '../../catalog/tables/columns.ts';
import { filesAt } from '../../catalog/tables/data/files.ts';
import type { NewFile } from '../../catalog/tables/data/log.ts';
import { bind, type Scope, scopeOf } from '../sql/bind.ts';
import { type Bound, type Column as BoundColumn, type Row, truth } from '../sql/bound.ts';
import { Meter, type Steps, waitFor } from '../sql/meter.ts';
import { problems } from '../sql/problem.ts';
import { QueryRun } from '../sql/run-query.ts';
import { type Halt, inTurns } from '../sql/run-statement.ts';
import { boundsOf } from '../sql/scan.ts';
import type { Assignment, Delete, Truncate, Update } from '../sql/statement-syntax.ts';
import type { Expression, TableName } from '../sql/syntax.ts';
import { conjuncts } from '../sql/walk.ts';
import { assigned, checksOf, RowRules } from './assign.ts';
import { type Acting, shownName } from './find.ts';
import { columnNamed, defaultExpression, isDefault } from './insert.ts';
import { filesFor, rowsOfFile } from './scan.ts';
import { sqlTypeOf } from './types.ts';
import { countsResult, type Effect, NO_RESULT, openTarget, stageFor, type Target, writing } from './write.ts';

/** `UPDATE`, `DELETE` and `TRUNCATE`: files with changed rows are rewritten, all others stay. */

/** The columns of the table, for the resolution of names in expressions. */
export function columnsFor(
  { snapshot, chain }: Target,
  { parts, alias }: Pick<TableName, 'parts' | 'alias'>,
): readonly BoundColumn[] {
  const path = [...chain.above.slice(0, -1).toReversed(), chain.target].map(({ name }) => name);
  return snapshot.columns.map((column) => ({
    name: column.name,
    type: sqlTypeOf(column),
    from: alias ?? (parts.at(-1) as string),
    ...(alias === undefined && { path }),
  }));
}

/** Returns the changed row, or undefined to delete it. */
type ChangeRow = (row: Row) => Row | undefined;

interface Rewritten {
  readonly rows: readonly Row[];
  readonly remove: readonly string[];
  readonly affected: number;
}

/** Reads the files that may contain rows for the condition. */
function* rewritten(
  acting: Acting,
  target: Target,
  condition: Expression | undefined,
  scope: Scope,
  change: ChangeRow,
): Steps<Rewritten> {
  const { meter } = scope;
  const { store } = acting.jar;
  const { snapshot } = target;
  const holds = condition && truth(bind(condition, scope));
  const files = filesFor(store, snapshot, boundsOf(conjuncts(condition), scope))[Symbol.asyncIterator]();
  const rows: Row[] = [];
  const remove: string[] = [];
  let affected = 0;
  for (;;) {
    const { done, value: file } = yield* waitFor(() => files.next());
    if (done) return { rows, remove, affected };
    const made: Row[] = [];
    const before = affected;
    const batches = rowsOfFile(store, file, snapshot.columns)[Symbol.asyncIterator]();
    for (let batch = yield* waitFor(() => batches.next()); !batch.done; batch = yield* waitFor(() => batches.next()))
      for (const row of batch.value) {
        meter.row();
        if (meter.isTurnOver) yield;
        const isMeant = !holds || holds.of(row) === true;
        if (isMeant) affected++;
        const kept = isMeant ? change(row) : row;
        if (kept) made.push(kept);
      }
    if (affected === before) continue;
    remove.push(file.id);
    for (const row of made) {
      meter.keep(row);
      if (meter.isTurnOver) yield;
      rows.push(row);
    }
  }
}

/** The function that applies the assignments to a row. */
export function changeOf(
  sets: readonly Assignment[],
  columns: readonly Column[],
  bound: (value: Expression) => Bound,
  table: string,
): (row: Row, input: Row) => Row {
  const values = new Map<number, Bound>();
  for (const { column: parts, value, at } of sets) {
    const column = columnNamed(columns, parts.at(-1) as string, at);
    const place = columns.indexOf(column);
    if (values.has(place)) throw problems.sameColumn(column.name);
    values.set(place, assigned(bound(isDefault(value) ? defaultExpression(column) : value), column, table));
  }
  return (row, input) =>
    row.map((cell, index) => {
      const value = values.get(index);
      return value ? value.of(input) : cell;
    });
}

export async function update(acting: Acting, statement: Update, halt: Halt): Promise<Effect> {
  const target = await openTarget(acting, statement.table, 'UPDATE', { reads: true });
  const { columns } = target.snapshot;
  const meter = new Meter();
  const made = await inTurns(
    (function* (): Steps<Rewritten> {
      const run = new QueryRun(acting.session, meter);
      const condition = statement.where && (yield* run.settled(statement.where));
      const sets: Assignment[] = [];
      for (const set of statement.sets) sets.push({ ...set, value: yield* run.settled(set.value) });
      const scope = scopeOf(acting.session, meter, columnsFor(target, statement.table));
      const rules = new RowRules(columns, checksOf(target.chain.target.fields.properties), acting.session, meter);
      const changed = changeOf(sets, columns, (value) => bind(value, scope), shownName(target.chain));
      return yield* rewritten(acting, target, condition, scope, (row) => {
        const after = changed(row, row);
        rules.check(after);
        return after;
      });
    })(),
    meter,
    halt,
  );
  return replacing(acting, target, 'UPDATE', made);
}

export async function remove(acting: Acting, statement: Delete, halt: Halt): Promise<Effect> {
  const target = await openTarget(acting, statement.table, 'DELETE', { reads: statement.where !== undefined });
  const { where } = statement;
  if (!where) return emptied(acting, target, 'DELETE');
  const meter = new Meter();
  const made = await inTurns(
    (function* (): Steps<Rewritten> {
      const condition = yield* new QueryRun(acting.session, meter).settled(where);
      const scope = scopeOf(acting.session, meter, columnsFor(target, statement.table));
      return yield* rewritten(acting, target, condition, scope, () => undefined);
    })(),
    meter,
    halt,
  );
  return replacing(acting, target, 'DELETE', made);
}

export async function truncate(acting: Acting, { table }: Truncate): Promise<Effect> {
  const target = await openTarget(acting, table, 'TRUNCATE TABLE');
  return { ...(await emptied(acting, target, 'TRUNCATE')), result: NO_RESULT };
}

/** Removes all files of the table without reading them. */
async function emptied(acting: Acting, target: Target, operation: string): Promise<Effect> {
  const files = await filesAt(acting.jar.store, target.snapshot.table, target.snapshot.version);
  const rows = files.reduce((sum, { stats }) => sum + stats.numRecords, 0);
  const write = { operation, files: [], remove: files.map(({ id }) => id) };
  return writing(acting, target, write, { num_affected_rows: rows });
}

async function replacing(
  acting: Acting,
  target: Target,
  operation: string,
  { rows, remove: ids, affected }: Rewritten,
): Promise<Effect> {
  const counts = { num_affected_rows: affected };
  // Without a change, no new version is created.
  if (ids.length === 0) return { result: countsResult(counts) };
  const files: readonly NewFile[] = await stageFor(acting, target.snapshot.columns, rows);
  return writing(acting, target, { operation, files, remove: ids }, counts);
}
