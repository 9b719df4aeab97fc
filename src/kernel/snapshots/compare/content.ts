import { readDocument } from '../../store/document.ts';
import { WORK_STATE } from '../../store/migrations.ts';
import type { Collection, WorkRow } from '../../store/types.ts';
import { isoTime } from '../../time/dates.ts';
import type { Line } from '../content.ts';

/** Columns of a typed table, by its name. */
export type Columns = ReadonlyMap<string, readonly string[]>;

/** What a line says, as a value whose members can be compared: a document in its present version, a row by its columns, and so on. */
export function contentOfLine(line: Line, collection: Collection<never> | undefined, columns: Columns): unknown {
  if (line.of === 'document') return documentIn(line, collection);
  if (line.of === 'work') return workIn(line.row);
  if (line.of === 'row') {
    const [, ...cells] = line.row;
    const names = columns.get(line.table) ?? [];
    return Object.fromEntries(cells.map((cell, i) => [names[i] ?? `cell ${i + 1}`, cell]));
  }
  const [, source, kind, subject, outcome, at, data] = line.row;
  return { source, kind, subject, outcome, at: timeIn(at), data: JSON.parse(data) };
}

function documentIn(
  { key, etag, body }: Extract<Line, { of: 'document' }>,
  collection: Collection<never> | undefined,
): unknown {
  if (!collection) return JSON.parse(body);
  try {
    return readDocument<unknown>(collection, key, etag, body);
  } catch {
    // It has a later version than this release knows, or cannot be upgraded; its stored form can still be compared.
    return JSON.parse(body);
  }
}

/** Without its scheduling number, which changes when an item is put back unchanged. */
function workIn({ kind, due_at, payload, attempts = 0, reason = null, state }: WorkRow): unknown {
  const isParked = state === WORK_STATE.parked;
  const stored: unknown = JSON.parse(String(payload));
  return { kind, dueAt: timeIn(due_at), state: isParked ? 'parked' : 'waiting', attempts, reason, payload: stored };
}

function timeIn(at: unknown): unknown {
  const date = new Date(Number(at));
  return Number.isNaN(date.getTime()) ? at : isoTime(date.getTime());
}
