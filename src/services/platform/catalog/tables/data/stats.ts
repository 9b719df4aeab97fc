import { isoTime } from '../../../../../kernel/time/index.ts';
import type { Json } from '../../../../../kernel/values/index.ts';
import type { FileStats } from '../collections.ts';
import type { Column } from '../columns.ts';
import type { ColumnType } from '../types.ts';
import type { Cell } from './cells.ts';

/** Delta stores bounds for this many columns, and truncates texts to this many characters. */
const MOST_COLUMNS = 32;
const MOST_CHARACTERS = 32;
/** More digits than a JSON number represents exactly. */
const MOST_DIGITS = 15;

const DAY_MS = 86_400_000;

const BOUNDED: ReadonlySet<ColumnType> = new Set([
  'BYTE',
  'SHORT',
  'INT',
  'LONG',
  'FLOAT',
  'DOUBLE',
  'DATE',
  'TIMESTAMP',
  'TIMESTAMP_NTZ',
  'STRING',
  'CHAR',
  'DECIMAL',
]);

/** Statistics of rows, which let readers skip files. */
export function statsOf(columns: readonly Column[], rows: readonly (readonly Cell[])[]): FileStats {
  const minValues: Record<string, Json> = {};
  const maxValues: Record<string, Json> = {};
  const nullCount: Record<string, number> = {};
  for (const [index, column] of columns.slice(0, MOST_COLUMNS).entries()) {
    const { name } = column;
    const { min, max, nulls } = boundsOf(rows, index);
    nullCount[name] = nulls;
    if (!BOUNDED.has(column.type_name) || min === undefined || max === undefined) continue;
    const [least, most] = [boundOf(column, min, 'min'), boundOf(column, max, 'max')];
    if (least !== undefined) minValues[name] = least;
    if (most !== undefined) maxValues[name] = most;
  }
  return { numRecords: rows.length, minValues, maxValues, nullCount };
}

type Value = Exclude<Cell, null>;

function boundsOf(rows: readonly (readonly Cell[])[], index: number) {
  let min: Value | undefined;
  let max: Value | undefined;
  let nulls = 0;
  for (const row of rows) {
    const cell = row[index] ?? null;
    if (cell === null) nulls++;
    // NaN is outside of all bounds.
    else if (!Number.isNaN(cell)) {
      if (min === undefined || cell < min) min = cell;
      if (max === undefined || cell > max) max = cell;
    }
  }
  return { min, max, nulls };
}

/** The bound as JSON. Returns undefined if it could not be exact. A truncated text is still a lower bound. */
function boundOf({ type_name: type, type_scale: scale }: Column, value: Value, side: 'min' | 'max'): Json | undefined {
  if (typeof value === 'string')
    return value.length <= MOST_CHARACTERS || side === 'min' ? value.slice(0, MOST_CHARACTERS) : undefined;
  if (typeof value === 'bigint') {
    if (String(value).replace('-', '').length > MOST_DIGITS) return undefined;
    return type === 'DECIMAL' ? Number(`${value}e-${scale}`) : Number(value);
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  if (type === 'DATE') return isoTime(value * DAY_MS).slice(0, 10);
  return type === 'TIMESTAMP' || type === 'TIMESTAMP_NTZ' ? isoTime(value) : value;
}
