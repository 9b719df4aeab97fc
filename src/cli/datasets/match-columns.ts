import { CliError, usageError } from '../errors.ts';
import type { ColumnAnswer } from './find.ts';
import type { Wanted } from './rows.ts';

/** A column, and the index of the header that fills it. */
export interface MatchedColumn {
  readonly column: ColumnAnswer;
  readonly index: number;
}

/**
 * Finds the header of each column: the header that --map names, else the header of the same name, else the same name in another case.
 * Headers without a column and columns without a header are errors unless --ignore-unknown is given.
 */
export function matchHeaders(headers: readonly string[], wanted: Wanted): readonly MatchedColumn[] {
  const { file, columns, map, ignoreUnknown } = wanted;
  const twice = headers.find((header, i) => headers.indexOf(header) !== i);
  if (twice !== undefined) throw new CliError(`${file}: the header '${twice}' occurs twice`);
  const matched: MatchedColumn[] = [];
  const missing: string[] = [];
  for (const column of columns) {
    const index = headerOf(column.name, headers, wanted);
    if (index < 0) missing.push(column.name);
    else matched.push({ column, index });
  }
  const used = new Set(matched.map(({ index }) => index));
  const unknown = headers.filter((_, i) => !used.has(i));
  for (const [column, header] of map)
    if (!headers.includes(header)) throw usageError(`--map ${column}=${header}: ${file} has no header '${header}'`);
  if (!ignoreUnknown && (unknown.length > 0 || missing.length > 0)) throw mismatch(file, unknown, missing);
  if (matched.length === 0) throw new CliError(`${file}: no header matches a column (${namesOf(missing)})`);
  return matched;
}

function headerOf(name: string, headers: readonly string[], { columns, map }: Wanted): number {
  const given = map.get(name);
  if (given !== undefined) return headers.indexOf(given);
  const exact = headers.indexOf(name);
  if (exact >= 0) return exact;
  const lower = name.toLowerCase();
  const near = headers.flatMap((header, i) => {
    const isTaken = columns.some((column) => column.name === header) || [...map.values()].includes(header);
    return !isTaken && header.trim().toLowerCase() === lower ? [i] : [];
  });
  return near.length === 1 ? (near[0] as number) : -1;
}

function mismatch(file: string, unknown: readonly string[], missing: readonly string[]): CliError {
  const parts = [
    unknown.length > 0 && `no column of the table is named ${namesOf(unknown)}`,
    missing.length > 0 && `the file has no header for ${namesOf(missing)}`,
  ].filter((part) => part !== false);
  const map =
    unknown.length > 0 && missing.length > 0 ? `match them with --map '${missing[0]}=${unknown[0]}', or ` : '';
  return new CliError(`${file}: ${parts.join(', and ')}; ${map}ignore them with --ignore-unknown`);
}

const MOST_NAMED = 10;

function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).map((name) => `'${name}'`);
  const rest = names.length - shown.length;
  return shown.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

/** `Price=Unit price`, checked against the columns of the table. */
export function checkMap(map: ReadonlyMap<string, string>, columns: readonly ColumnAnswer[]): void {
  for (const name of map.keys())
    if (!columns.some((column) => column.name === name))
      throw usageError(
        `--map ${name}=…: the table has no column '${name}'; its columns are ${namesOf(columns.map((each) => each.name))}`,
      );
}
