import type { Cell, Rows } from '../../sql/results/collections.ts';
import { floatText } from '../sql/format.ts';
import type { StatementResult } from '../sql/run-statement.ts';
import { type SimpleKind, simple } from '../sql/types.ts';

/** A configured result has no types; each column gets the type that all of its values share. */
export function typedResult(result: Rows): StatementResult {
  const { columns, rows } = result;
  const kinds = kindsOf(result);
  return {
    columns: columns.map((name, index) => ({ name, type: simple(kinds[index] ?? 'STRING') })),
    rows: rows.map((row) => row.map((cell, index) => textOf(cell, kinds[index]))),
  };
}

export const kindsOf = ({ columns, rows }: Rows): readonly SimpleKind[] =>
  columns.map((_, index) => kindOf(rows.map((row) => row[index] ?? null)));

function kindOf(cells: readonly Cell[]): SimpleKind {
  const known = cells.filter((cell) => cell !== null);
  if (known.length === 0) return 'STRING';
  if (known.every((cell) => typeof cell === 'boolean')) return 'BOOLEAN';
  if (!known.every((cell) => typeof cell === 'number')) return 'STRING';
  return known.every((cell) => Number.isSafeInteger(cell)) ? 'LONG' : 'DOUBLE';
}

const textOf = (cell: Cell, kind: SimpleKind | undefined): string | null =>
  cell === null ? null : typeof cell === 'number' && kind === 'DOUBLE' ? floatText(cell, false) : String(cell);
