import type { Cell, Rows } from '../../sql/results/collections.ts';
import { cellText } from '../sql/format.ts';
import type { StatementResult } from '../sql/run-statement.ts';
import { type SqlType, type SqlValue, simple } from '../sql/types.ts';

/** The rows that a test set for a query, as the result of a statement. The type of a column follows from its cells. */
export function setResult({ columns, rows }: Rows): StatementResult {
  const types = columns.map((_, index) => typeOf(rows.map((row) => row[index] ?? null)));
  return {
    columns: columns.map((name, index) => ({ name, type: types[index] ?? simple('STRING') })),
    rows: rows.map((row) =>
      row.map((cell, index) => {
        const type = types[index] ?? simple('STRING');
        return cellText(sqlValueOf(cell, type), type);
      }),
    ),
  };
}

function typeOf(cells: readonly Cell[]): SqlType {
  const given = cells.filter((cell) => cell !== null);
  if (given.length === 0) return simple('STRING');
  if (given.every((cell) => typeof cell === 'boolean')) return simple('BOOLEAN');
  if (given.every((cell) => Number.isSafeInteger(cell))) return simple('LONG');
  return simple(given.every((cell) => typeof cell === 'number') ? 'DOUBLE' : 'STRING');
}

function sqlValueOf(cell: Cell, { kind }: SqlType): SqlValue {
  if (cell === null) return null;
  if (kind === 'LONG') return BigInt(cell);
  return kind === 'STRING' ? String(cell) : cell;
}
