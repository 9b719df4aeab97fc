import { linesOf } from '../../services/datasets/bulk/lines.ts';
import { CliError } from '../errors.ts';
import { csvLine } from './csv-text.ts';
import type { ColumnAnswer } from './find.ts';
import { exactJson, parseExact } from './rows.ts';

const LONGEST_LINE = 16 * 1024 * 1024;
const BOUNDS = { names: 10_000, values: 10_000, depth: 10, bytes: LONGEST_LINE };
const CHUNK_ROWS = 1000;
const CHUNK_TEXT = 1024 * 1024;

/** Values in column order; null is blank, and a number is a text of its digits. */
export type ExportedRow = readonly unknown[];

/** The rows of an NDJSON answer, several at a time. */
export async function* exportedRows(
  parts: AsyncIterable<Buffer>,
  columns: readonly ColumnAnswer[],
): AsyncGenerator<readonly ExportedRow[]> {
  const names = columns.map(({ name }) => name);
  let rows: ExportedRow[] = [];
  let bytes = 0;
  const tooLong = () => new CliError('the jar sent a row that is too long');
  for await (const line of linesOf(parts, LONGEST_LINE, tooLong)) {
    const row = parseExact(line, BOUNDS) as Readonly<Record<string, unknown>>;
    rows.push(names.map((name) => (Object.hasOwn(row, name) ? row[name] : null)));
    bytes += line.length;
    if (rows.length < CHUNK_ROWS && bytes < CHUNK_TEXT) continue;
    yield rows;
    rows = [];
    bytes = 0;
  }
  if (rows.length > 0) yield rows;
}

export async function* csvOf(
  chunks: AsyncIterable<readonly ExportedRow[]>,
  columns: readonly ColumnAnswer[],
  delimiter: string,
): AsyncGenerator<string> {
  yield csvLine(
    columns.map(({ name }) => name),
    delimiter,
  );
  for await (const rows of chunks) {
    let text = '';
    for (const row of rows) text += csvLine(row.map(csvValue), delimiter);
    yield text;
  }
}

export const csvValue = (value: unknown): string | null =>
  value === null || value === undefined || typeof value === 'string' ? (value ?? null) : exactJson(value);
