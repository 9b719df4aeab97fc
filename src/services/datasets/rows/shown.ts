import type { Cell, ColumnType } from '../../../kernel/store/index.ts';
import { DAY_MS } from '../../../kernel/time/index.ts';

const SERIAL_OF_1970 = 25_569;

/** A stored value as people write it, for errors. */
export function shownCell(type: ColumnType, cell: Exclude<Cell, null>): string {
  if (type === 'text') return `'${String(cell).slice(0, 100).toWellFormed()}'`;
  if (type === 'decimal') return String(Number(cell) / 10_000);
  if (type === 'boolean') return cell ? 'true' : 'false';
  if (type !== 'datetime') return String(cell);
  const instant = new Date(Math.round((Number(cell) - SERIAL_OF_1970) * DAY_MS));
  return instant.toISOString().slice(0, -1);
}
