import { quote } from '../sql/dialect.ts';
import { cellOf } from './cells.ts';
import { unknownTable } from './definitions.ts';
import type { TypedDialect } from './dialect.ts';
import { first, type Steps } from './steps.ts';
import { NUMBER_COLUMN, type NumberedRow, type TableDefinition } from './types.ts';

/** Selects the numbers and values of all rows, without their keys; callers append conditions and an order. */
export function selectRows(dialect: TypedDialect, { name, columns }: TableDefinition): string {
  return `SELECT ${[NUMBER_COLUMN, ...columns.map((column) => quote(column.name))].join(', ')} FROM ${dialect.table(name)}`;
}

export function* readRows(
  dialect: TypedDialect,
  name: string,
  table: TableDefinition | undefined,
  after: number,
  limit: number,
): Steps<readonly NumberedRow[]> {
  if (!table) throw unknownTable(name);
  const { placeholder } = dialect;
  const sql = `${selectRows(dialect, table)} WHERE n > ${placeholder(1)} ORDER BY n LIMIT ${placeholder(2)}`;
  const { rows } = yield { sql, values: [after, limit], reads: true };
  return rows.map((row) => numbered(table, row));
}

/** The newest rows first, those with a number below `before`. */
export function* readNewestRows(
  dialect: TypedDialect,
  name: string,
  table: TableDefinition | undefined,
  before: number,
  limit: number,
): Steps<readonly NumberedRow[]> {
  if (!table) throw unknownTable(name);
  const { placeholder } = dialect;
  const sql = `${selectRows(dialect, table)} WHERE n < ${placeholder(1)} ORDER BY n DESC LIMIT ${placeholder(2)}`;
  const { rows } = yield { sql, values: [before, limit], reads: true };
  return rows.map((row) => numbered(table, row));
}

function numbered({ columns }: TableDefinition, [number, ...cells]: readonly unknown[]): NumberedRow {
  return { number: Number(number), cells: cells.map((cell, i) => cellOf(columns[i]!.type, cell)) };
}

export function* countRows(dialect: TypedDialect, name: string, table: TableDefinition | undefined): Steps<number> {
  if (!table) throw unknownTable(name);
  const found = yield* first(`SELECT count(*) FROM ${dialect.table(name)}`);
  return Number(found?.[0]);
}
