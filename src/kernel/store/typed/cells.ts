import { StoreError, UnfitValueError } from '../errors.ts';
import { storable } from '../values.ts';
import { END_OF_SERIALS, FIRST_SERIAL } from './serial.ts';
import type { Cell, ColumnDefinition, ColumnType } from './types.ts';

const LEAST_INT64 = -(2n ** 63n);
const GREATEST_INT64 = 2n ** 63n - 1n;

/**
 * Normalises a value to the form that both engines store; returns undefined if the column does not accept it. Negative zero becomes zero:
 * SQLite does not keep the sign of a whole number in a column of doubles.
 */
const STORED: Readonly<Record<ColumnType, (cell: Exclude<Cell, null>) => Exclude<Cell, null> | undefined>> = {
  int64: wholeNumber,
  decimal: wholeNumber,
  double: (cell) => (typeof cell === 'number' && Number.isFinite(cell) ? cell + 0 : undefined),
  boolean: (cell) => (cell === 0 || cell === 1 ? cell + 0 : undefined),
  datetime: (cell) =>
    typeof cell === 'number' && cell >= FIRST_SERIAL && cell < END_OF_SERIALS ? cell + 0 : undefined,
  text: (cell) => (typeof cell === 'string' ? storable(cell) : undefined),
};

function wholeNumber(cell: Exclude<Cell, null>): number | bigint | undefined {
  if (typeof cell === 'number') return Number.isSafeInteger(cell) ? cell + 0 : undefined;
  return typeof cell === 'bigint' && cell >= LEAST_INT64 && cell <= GREATEST_INT64 ? cell : undefined;
}

/** Normalises one column of the rows. */
export function storedColumn(column: ColumnDefinition, rows: readonly (readonly Cell[])[], position: number): Cell[] {
  const values = new Array<Cell>(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const cell = rows[i]![position]!;
    values[i] = cell === null ? null : storedCell(column, i, cell);
  }
  return values;
}

/** `row` is the index in the batch, for the message. */
export function storedCell(column: ColumnDefinition, row: number, cell: Exclude<Cell, null>): Exclude<Cell, null> {
  const stored = STORED[column.type](cell);
  if (stored === undefined) throw unfit(column, row, cell);
  return stored;
}

export function checkWidth(columns: readonly ColumnDefinition[], rows: readonly (readonly Cell[])[]): void {
  const wrong = rows.findIndex((row) => row.length !== columns.length);
  if (wrong < 0) return;
  const counts = `${rows[wrong]!.length} values for ${columns.length} columns`;
  throw new StoreError('BAD_VALUE', `row ${wrong + 1} has ${counts}`);
}

function unfit({ name, type }: ColumnDefinition, row: number, cell: unknown): UnfitValueError {
  return new UnfitValueError(name, row, `is no ${type}: ${String(cell).slice(0, 100)}`);
}

/** Converts a result value from either engine, which may return integers as bigint or text, and booleans as booleans. */
export function cellOf(type: ColumnType, value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (type === 'text') return String(value);
  if (type === 'double' || type === 'datetime') return Number(value);
  if (typeof value === 'boolean') return Number(value);
  return integerOf(value);
}

function integerOf(value: unknown): number | bigint {
  if (typeof value === 'number') return value;
  const exact = typeof value === 'bigint' ? value : bigIntOf(String(value));
  if (exact < LEAST_INT64 || exact > GREATEST_INT64) throw tooLarge();
  const number = Number(exact);
  return Number.isSafeInteger(number) ? number : exact;
}

/** A sum of integers arrives as a numeric, which may end in a fraction of zeros. */
function bigIntOf(text: string): bigint {
  return BigInt(text.replace(/\.0*$/, ''));
}

export function tooLarge(cause?: unknown, kind = 'whole number'): StoreError {
  return new StoreError('STATEMENT', `the result is too large for a ${kind}`, { cause });
}

/** The error for a statement that exceeds a limit of the engine. */
export function tooComplex(cause: unknown): StoreError {
  return new StoreError('STATEMENT', 'the statement is too large or too complex', { cause });
}

/** Converts a value for a capture: JSON cannot represent integers beyond 2⁵³, so they become text. */
export function capturedCell(type: ColumnType, value: unknown): string | number | null {
  const cell = cellOf(type, value);
  return typeof cell === 'bigint' ? String(cell) : cell;
}

const WHOLE = /^-?[1-9]\d{15,18}$/;

/** Converts a captured value back to a cell; returns undefined if a column of the type does not accept it. */
export function restoredCell(type: ColumnType, captured: unknown): Cell | undefined {
  if (captured === null) return null;
  if (typeof captured !== 'string' && typeof captured !== 'number') return undefined;
  const isWhole = (type === 'int64' || type === 'decimal') && typeof captured === 'string';
  if (isWhole && (!WHOLE.test(captured) || Number.isSafeInteger(Number(captured)))) return undefined;
  const cell = isWhole ? BigInt(captured) : captured;
  const stored = STORED[type](cell);
  return stored === cell ? cell : undefined;
}
