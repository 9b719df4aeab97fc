import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { type ControlClient, RefusedByJar } from '../control-client.ts';
import { CliError, EXIT_FAILED, usageError } from '../errors.ts';
import { csvLine } from './csv-text.ts';
import { exactJson, parseExact, plainValue } from './rows.ts';
import { plain, textTable, widthOf } from './text-table.ts';
import { csvValue } from './write-rows.ts';

export interface QueryAnswer {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly notes: readonly string[];
}

/** The limits of the jar's answers. */
const BOUNDS = { names: 10_000_000, values: 10_000_000, depth: 10, bytes: 64 * 1024 * 1024 };
const NUMBERS: ReadonlySet<string> = new Set(['Int64', 'Decimal', 'Double']);

/** The query from the command line, a file or standard input. */
export async function queryText(typed: string | undefined, file: string | undefined): Promise<string> {
  if (typed !== undefined && file !== undefined) throw usageError('give either a query or --file');
  if (typed === undefined && file === undefined)
    throw usageError("the query is missing; write it in quotes, such as 'EVALUATE Sales', or give a file with --file");
  if (typed === '-' || file === '-') return withoutMark(await text(process.stdin));
  if (typed !== undefined) return typed;
  try {
    return withoutMark(await readFile(file as string, 'utf8'));
  } catch (error) {
    throw usageError(`${file} cannot be read: ${(error as Error).message}`, error);
  }
}

const withoutMark = (content: string): string => content.replace(/^\ufeff/, '');

export async function runQuery(client: ControlClient, dataset: string, query: string): Promise<QueryAnswer> {
  try {
    const answer = await client.postForText(`/_jar/datasets/${dataset}/queries`, { query });
    return parseExact(Buffer.from(answer), BOUNDS) as QueryAnswer;
  } catch (error) {
    throw error instanceof RefusedByJar ? withPlace(error, query) : error;
  }
}

const PLACE = /^(\d+):(\d+)$/;
const MOST_SHOWN = 100;

/** Adds the query's line with a caret below the position of the error. */
function withPlace(error: RefusedByJar, query: string): CliError {
  const [, line, column] = PLACE.exec(error.target ?? '') ?? [];
  const message = error.message.replace(/^Query \(\d+, \d+\) /, '');
  if (line === undefined || column === undefined) return error;
  const whole = query.split(/\r\n|\r|\n/)[Number(line) - 1] ?? '';
  const at = Number(column) - 1;
  const from = Math.max(0, Math.min(at - MOST_SHOWN / 2, whole.length - MOST_SHOWN));
  const before = shown(whole.slice(from, at));
  const after = shown(whole.slice(at, from + MOST_SHOWN));
  const excerpt = [`  ${before}${after}`, `  ${' '.repeat(widthOf(before))}^`];
  return new CliError(`line ${line}, column ${column}: ${message}`, EXIT_FAILED, { cause: error, excerpt });
}

const shown = (part: string): string => plain(part.replaceAll('\t', ' '));

export const queryJson = ({ rows }: QueryAnswer): string =>
  `[${rows.map((row) => `{${Object.entries(row).map(([name, value]) => `${JSON.stringify(name)}:${exactJson(value)}`)}}`).join()}]`;

export function queryCsv({ columns, rows }: QueryAnswer): string {
  const names = columns.map(({ name }) => name);
  return [names, ...rows.map((row) => names.map((name) => csvValue(row[name])))]
    .map((values) => csvLine(values, ','))
    .join('');
}

export function queryTable({ columns, rows }: QueryAnswer): string {
  const table = textTable(
    columns.map(({ name, type }) => ({
      title: name,
      cells: rows.map((row) => plainValue(row[name])),
      right: NUMBERS.has(type),
    })),
  );
  return [...table, '', rows.length === 1 ? '1 row' : `${rows.length.toLocaleString('en')} rows`].join('\n');
}
