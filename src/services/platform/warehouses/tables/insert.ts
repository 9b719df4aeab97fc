import type { Column } from '../../catalog/tables/columns.ts';
import type { Bound, Row } from '../sql/bound.ts';
import { slot } from '../sql/grouping.ts';
import { Meter, type Steps } from '../sql/meter.ts';
import { parseExpression } from '../sql/parser.ts';
import { type Place, problems } from '../sql/problem.ts';
import { QueryRun } from '../sql/run-query.ts';
import { bounded, type Halt, inTurns } from '../sql/run-statement.ts';
import type { Insert } from '../sql/statement-syntax.ts';
import type { Expression, Query } from '../sql/syntax.ts';
import type { Table } from '../sql/table.ts';
import { simple } from '../sql/types.ts';
import { assigned, checksOf, defaultFor, RowRules } from './assign.ts';
import { type Acting, shownName } from './find.ts';
import { defaultOf } from './types.ts';
import { type Effect, openTarget, stageFor, type Target, writing } from './write.ts';

/** `INSERT INTO` and `INSERT OVERWRITE`. */
export async function insert(acting: Acting, statement: Insert, halt: Halt): Promise<Effect> {
  const target = await openTarget(acting, statement.table, 'INSERT');
  const meter = new Meter();
  const { columns } = target.snapshot;
  const wanted = wantedColumns(statement, target);
  const query = withDefaults(statement.query, wanted ?? columns);
  const rows = await inTurns(
    (function* (): Steps<readonly Row[]> {
      const table = yield* new QueryRun(acting.session, meter).run(query);
      return yield* shapedRows(acting, target, table, wanted, statement.byName, meter);
    })(),
    meter,
    halt,
  );
  const files = await stageFor(acting, columns, rows);
  const mode = statement.overwrite ? 'Overwrite' : 'Append';
  const write = {
    operation: 'WRITE',
    parameters: { mode },
    files,
    ...(statement.overwrite && ({ remove: 'all' } as const)),
  };
  return writing(acting, target, write, { num_affected_rows: rows.length, num_inserted_rows: rows.length });
}

/** The columns that a list names, in its order. */
function wantedColumns({ columns: names, table }: Insert, { snapshot }: Target): readonly Column[] | undefined {
  if (!names) return undefined;
  const seen = new Set<string>();
  return names.map((name) => {
    if (seen.has(name.toLowerCase())) throw problems.sameColumn(name);
    seen.add(name.toLowerCase());
    return columnNamed(snapshot.columns, name, table.at);
  });
}

export function columnNamed(columns: readonly Column[], name: string, at: Place): Column {
  const found = columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
  if (found) return found;
  throw problems.noColumn(
    `\`${name}\``,
    at,
    columns.slice(0, 5).map((column) => `\`${column.name}\``),
  );
}

/** Replaces `DEFAULT` in VALUES with the default of the column. */
function withDefaults(query: Query, columns: readonly Column[]): Query {
  const { body } = query;
  if (body.is !== 'values') return query;
  const rows = body.rows.map((row) =>
    row.map((value, index) => (isDefault(value) ? defaultExpression(columns[index]) : value)),
  );
  return { ...query, body: { is: 'values', rows } };
}

export const isDefault = (value: Expression): boolean =>
  value.is === 'column' && value.parts.length === 1 && value.parts[0]?.toUpperCase() === 'DEFAULT';

export function defaultExpression(column: Column | undefined): Expression {
  const text = column && defaultOf(column);
  if (text === undefined) return { is: 'literal', type: simple('NULL'), value: null, shown: 'NULL' };
  return bounded(() => parseExpression(text));
}

/** Converts the rows of a query to rows of the table. */
export function* shapedRows(
  { session }: Acting,
  { chain, snapshot }: Target,
  table: Table,
  wanted: readonly Column[] | undefined,
  byName: boolean,
  meter: Meter,
): Steps<readonly Row[]> {
  const { columns } = snapshot;
  const name = shownName(chain);
  const given = table.columns.map((column) => column.name);
  const order = wanted ?? (byName ? given.map((each) => columnNamed(columns, each, { line: 1, column: 0 })) : columns);
  if (order.length !== given.length)
    throw problems.arity(
      name,
      order.map((column) => column.name),
      given,
    );
  const places = new Map(order.map((column, index) => [column.name, index]));
  const values = columns.map((column): Bound => {
    const place = places.get(column.name);
    if (place === undefined) return defaultFor(column, session, meter, name);
    return assigned(slot(table.columns[place]?.type ?? simple('NULL'), place), column, name);
  });
  const rules = new RowRules(columns, checksOf(chain.target.fields.properties), session, meter);
  const rows: Row[] = [];
  for (const row of table.rows) {
    meter.row();
    if (meter.isTurnOver) yield;
    const made = values.map((value) => value.of(row));
    meter.keep(made);
    rules.check(made);
    rows.push(made);
  }
  return rows;
}
