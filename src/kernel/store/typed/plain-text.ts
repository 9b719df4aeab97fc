import { DAY_MS } from '../../time/units.ts';
import { SERIAL_OF_1970 } from './serial.ts';
import type { Cell, ColumnType } from './types.ts';

export const DECIMAL_UNITS = 10_000;

/**
 * Formats a value for a column whose type becomes text: `12.5`, `2024-01-05T13:04:09`, `True`. PostgreSQL has an equivalent
 * (`postgres/functions.ts`).
 */
export function plainText(type: ColumnType, value: Exclude<Cell, null>): string {
  if (type === 'decimal') return decimalText(BigInt(value));
  if (type === 'datetime') return datetimeText(Number(value));
  if (type === 'boolean') return Number(value) === 0 ? 'False' : 'True';
  return String(value);
}

function decimalText(units: bigint): string {
  const size = units < 0n ? -units : units;
  const scale = BigInt(DECIMAL_UNITS);
  const fraction = String(size % scale)
    .padStart(4, '0')
    .replace(/0+$/, '');
  return `${units < 0n ? '-' : ''}${size / scale}${fraction === '' ? '' : `.${fraction}`}`;
}

function datetimeText(serial: number): string {
  const instant = Math.floor((serial - SERIAL_OF_1970) * DAY_MS + 0.5);
  return new Date(instant)
    .toISOString()
    .slice(0, -1)
    .replace(/\.000$/, '');
}
