import type { Selected } from '../../../kernel/store/index.ts';
import { type CompiledQuery, jsonText } from '../language/index.ts';

/** Limits of one response, in rows, values and bytes; the first one reached applies. */
export const MOST_ROWS = 100_000;
export const MOST_VALUES = 1_000_000;
export const MOST_BYTES = 15 * 1024 * 1024;

export const rowsFor = (columns: number): number => Math.min(MOST_ROWS, Math.floor(MOST_VALUES / Math.max(columns, 1)));

interface Shown {
  readonly compiled: CompiledQuery;
  readonly selected: Selected;
  readonly includeNulls: boolean;
}

/** The rows of a query as the text of a JSON array, with reasons for missing parts. */
export interface ShownRows {
  readonly text: string;
  /** Reason why rows are missing from the text. */
  readonly cut: string | undefined;
  /** Set if the query evaluates more than its first table. */
  readonly further: string | undefined;
}

/**
 * Serialised here instead of by the JSON encoder, so that integers beyond 2⁵³ keep their digits and the size of the response is known while
 * it grows.
 */
export function shownRows({ compiled, selected, includeNulls }: Shown): ShownRows {
  const { columns, furtherTables } = compiled;
  const names = columns.map(({ key }) => `${JSON.stringify(key)}:`);
  const rows: string[] = [];
  let bytes = 0;
  let cut = selected.more ? tooMany(columns.length) : undefined;
  for (const cells of selected.rows) {
    if (bytes >= MOST_BYTES) {
      cut = `The result of a query has at most ${MOST_BYTES / 1024 / 1024} MB.`;
      break;
    }
    const row = rowText(cells, names, columns, includeNulls);
    bytes += Buffer.byteLength(row) + 1;
    rows.push(row);
  }
  const further = furtherTables ? 'More than one result table in a query.' : undefined;
  return { text: `[${rows.join()}]`, cut, further };
}

function tooMany(columns: number): string {
  const rows = rowsFor(columns);
  return rows === MOST_ROWS
    ? `More than ${MOST_ROWS} rows in a query result.`
    : `More than ${MOST_VALUES} values in a query result: ${rows} rows of ${columns} columns.`;
}

/** The body of a response. Rows that do not fit are left out, and an error beside the rows reports that. */
export function answerText(shown: Shown): string {
  const { text, cut, further } = shownRows(shown);
  const tableError = cut === undefined ? '' : `,"error":${errorText(cut)}`;
  const queryError = further === undefined ? '' : `,"error":${errorText(further)}`;
  return `{"results":[{"tables":[{"rows":${text}${tableError}}]${queryError}}]}`;
}

function rowText(
  cells: Selected['rows'][number],
  names: readonly string[],
  columns: CompiledQuery['columns'],
  includeNulls: boolean,
): string {
  let text = '';
  for (const [i, name] of names.entries()) {
    const value = jsonText(cells[i] ?? null, columns[i]!.type);
    if (value !== 'null' || includeNulls) text += `${text === '' ? '' : ','}${name}${value}`;
  }
  return `{${text}}`;
}

const errorText = (message: string): string => JSON.stringify({ code: 'DatasetExecuteQueriesError', message });
