import type { ChangeRow, DocumentRow, StatePart, TableRow, WorkRow } from '../store/types.ts';

/**
 * The content of a snapshot: one line of JSON for each document, row of a typed table, work item and change record, in the order of the
 * store's `capture`. A line contains the body of a document as stored, so that it need not be parsed in either direction.
 */
export function linesOf(part: StatePart): string {
  let lines = '';
  if (part.of === 'documents') {
    const start = `["d",${JSON.stringify(part.collection)},`;
    for (const [key, etag, body] of part.rows) {
      lines += `${start}${JSON.stringify(key)},${JSON.stringify(etag)},${body}]\n`;
    }
  } else if (part.of === 'rows') {
    const start = `["r",${JSON.stringify(part.table)},`;
    for (const row of part.rows) lines += `${start}${JSON.stringify(row).slice(1)}\n`;
  } else if (part.of === 'work') for (const row of part.rows) lines += `["w",${JSON.stringify(row)}]\n`;
  else for (const row of part.rows) lines += `["c",${JSON.stringify(row).slice(1)}\n`;
  return lines;
}

const STRING = String.raw`"(?:[^"\\]|\\.)*"`;
const DOCUMENT = new RegExp(`^\\["d",(${STRING}),(${STRING}),(${STRING}),`);

/** A parsed line of the content; undefined if the line is invalid. */
export type Line =
  | {
      readonly of: 'document';
      readonly collection: string;
      readonly key: string;
      readonly etag: string;
      readonly body: string;
    }
  | { readonly of: 'row'; readonly table: string; readonly row: TableRow }
  | { readonly of: 'work'; readonly row: WorkRow }
  | { readonly of: 'change'; readonly row: ChangeRow };

export function lineOf({ collection, key, etag, body }: Extract<Line, { of: 'document' }>): string {
  return `["d",${JSON.stringify(collection)},${JSON.stringify(key)},${JSON.stringify(etag)},${body}]`;
}

export function readLine(line: string): Line | undefined {
  const head = DOCUMENT.exec(line);
  if (head) {
    const [start, collection = '', key = '', etag = ''] = head;
    const body = line.slice(start.length, -1);
    return { of: 'document', collection: unquoted(collection), key: unquoted(key), etag: unquoted(etag), body };
  }
  const value: unknown = JSON.parse(line);
  if (!Array.isArray(value)) return undefined;
  const [kind, ...rest] = value;
  if (kind === 'r') return rowLine(rest);
  if (kind === 'w' && rest.length === 1 && isWorkRow(rest[0])) return { of: 'work', row: rest[0] };
  if (kind === 'c' && isChangeRow(rest)) return { of: 'change', row: rest };
  return undefined;
}

const unquoted = (text: string): string => (text.includes('\\') ? JSON.parse(text) : text.slice(1, -1));

function rowLine([table, ...row]: readonly unknown[]): Line | undefined {
  return typeof table === 'string' && isTableRow(row) ? { of: 'row', table, row } : undefined;
}

function isTableRow(values: readonly unknown[]): values is TableRow {
  const [number, ...cells] = values;
  const plain = cells.every((cell) => cell === null || typeof cell === 'string' || typeof cell === 'number');
  return Number.isSafeInteger(number) && Number(number) > 0 && plain;
}

function isWorkRow(value: unknown): value is WorkRow {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const plain = Object.values(value).every(
    (each) => each === null || typeof each === 'string' || typeof each === 'number',
  );
  const { id, kind, due_at, payload, seq, state } = value as Record<string, unknown>;
  const texts = typeof id === 'string' && typeof kind === 'string' && typeof payload === 'string' && isJson(payload);
  return plain && texts && typeof due_at === 'number' && Number.isSafeInteger(seq) && (state === 0 || state === 2);
}

function isChangeRow(values: readonly unknown[]): values is ChangeRow {
  const [number, source, kind, subject, outcome, at, data] = values;
  const texts = [source, kind, subject, outcome, data].every((each) => typeof each === 'string');
  const numbers = Number.isSafeInteger(number) && Number(number) > 0 && typeof at === 'number';
  return values.length === 7 && texts && numbers && isJson(data as string);
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

type Growing =
  | { readonly of: 'documents'; readonly collection: string; readonly rows: DocumentRow[] }
  | { readonly of: 'rows'; readonly table: string; readonly rows: TableRow[] }
  | { readonly of: 'work'; readonly rows: WorkRow[] }
  | { readonly of: 'changes'; readonly rows: ChangeRow[] };

/** Combines lines into parts for the store. A part never spans two calls, so all of its lines are available. */
export function partsOf(lines: Iterable<Line>): StatePart[] {
  const parts: StatePart[] = [];
  let last: Growing | undefined;
  const begin = <Part extends Growing>(part: Part): Part => {
    parts.push(part);
    return part;
  };
  for (const line of lines) {
    if (line.of === 'document') {
      const { collection, key, etag, body } = line;
      if (last?.of !== 'documents' || last.collection !== collection)
        last = begin({ of: 'documents', collection, rows: [] });
      last.rows.push([key, etag, body]);
    } else if (line.of === 'row') {
      const { table } = line;
      if (last?.of !== 'rows' || last.table !== table) last = begin({ of: 'rows', table, rows: [] });
      last.rows.push(line.row);
    } else if (line.of === 'work') {
      if (last?.of !== 'work') last = begin({ of: 'work', rows: [] });
      last.rows.push(line.row);
    } else {
      if (last?.of !== 'changes') last = begin({ of: 'changes', rows: [] });
      last.rows.push(line.row);
    }
  }
  return parts;
}
