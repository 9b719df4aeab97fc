import type { Rows } from './collections.ts';

const MOST_ROWS = 20;
const LONGEST_CELL = 100;

/** The first rows, for a plain text mail. */
export function tableOf({ columns, rows }: Rows): string {
  const lines = [columns, ...rows.slice(0, MOST_ROWS).map((row) => row.map((cell) => String(cell ?? 'NULL')))];
  const text = lines.map((line) => line.map((cell) => cell.replace(/\s+/g, ' ').slice(0, LONGEST_CELL)).join(' | '));
  const rest = rows.length - MOST_ROWS;
  return `${[...text, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n')}\n`;
}
