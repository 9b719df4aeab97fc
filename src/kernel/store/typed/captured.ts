import { readDocument } from '../document.ts';
import { DuplicateValueError, refuseLoad } from '../errors.ts';
import type { DocumentRow, TableRow } from '../types.ts';
import { appendNumbered, RowsExist } from './batch.ts';
import { capturedCell, restoredCell } from './cells.ts';
import { mistakeIn, tableDefinitions } from './definitions.ts';
import type { TypedDialect } from './dialect.ts';
import type { Steps } from './steps.ts';
import { createTable } from './tables.ts';
import type { Cell, TableDefinition } from './types.ts';

/** Converts a selected row, its number and values, to the form of a capture. */
export function capturedRow({ columns }: TableDefinition, [number, ...values]: readonly unknown[]): TableRow {
  return [Number(number), ...columns.map(({ type }, i) => capturedCell(type, values[i]))];
}

/** Creates the tables of definitions that were loaded; their rows can be loaded afterwards. */
export function* loadTables(dialect: TypedDialect, documents: readonly DocumentRow[]): Steps<TableDefinition[]> {
  const tables: TableDefinition[] = [];
  for (const [key, etag, body] of documents) {
    const table = readDocument(tableDefinitions, key, etag, body);
    const mistake = mistakeIn(table) ?? (table.name === key ? undefined : 'its name is not its key');
    if (mistake !== undefined)
      throw refuseLoad(tableDefinitions.name, `the definition '${key.slice(0, 100)}': ${mistake}`);
    yield* createTable(dialect, table);
    tables.push(table);
  }
  return tables;
}

export function* loadRows(
  dialect: TypedDialect,
  name: string,
  table: TableDefinition | undefined,
  rows: readonly TableRow[],
): Steps<void> {
  if (!table) throw refuseLoad(name, 'there is no definition of the table');
  const cells = rows.map((row) => {
    const mistake = mistakeInRow(table, row);
    if (mistake !== undefined) throw refuseLoad(name, mistake);
    return restoredRow(table, row);
  });
  const numbers = rows.map(([number]) => number);
  try {
    yield* appendNumbered(dialect, table, numbers, cells);
  } catch (error) {
    const isThere = error instanceof RowsExist || error instanceof DuplicateValueError;
    throw isThere ? refuseLoad(name, 'it has duplicate rows') : error;
  }
}

/** Validates a row against a table definition. Returns the first mistake, or undefined if the row is valid. */
export function mistakeInRow({ columns }: TableDefinition, [, ...cells]: TableRow): string | undefined {
  if (cells.length !== columns.length) return `a row has ${cells.length} values for ${columns.length} columns`;
  const wrong = columns.find(({ type, unique }, i) => {
    const cell = restoredCell(type, cells[i]);
    return cell === undefined || (unique && cell === null);
  });
  return wrong && `a row has a value in ${wrong.name} that the column does not accept`;
}

function restoredRow({ columns }: TableDefinition, [, ...cells]: TableRow): Cell[] {
  return columns.map(({ type }, i) => restoredCell(type, cells[i]) ?? null);
}
