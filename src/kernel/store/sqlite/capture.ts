import { nextTurn } from '../../time/timers.ts';
import { WORK_STATE } from '../migrations.ts';
import type { Layout } from '../sql/layout.ts';
import type { ChangeRow, DocumentRow, StatePart, WorkRow } from '../types.ts';
import type { Database } from './database.ts';

/** A part ends when it holds so many characters, or so many rows: others want the event loop too. */
const PART_CHARACTERS = 256 * 1024;
const PART_ROWS = 1000;

const CHANGES = 'SELECT seq, source, kind, subject, outcome, at, data FROM changes ORDER BY seq';
const LEASE_COLUMNS = new Set(['lease', 'lease_until']);

/** Reads everything on one connection, which has to be in a transaction: what it sees does not change while it reads. */
export async function* captureState(db: Database, layouts: readonly Layout<never>[]): AsyncGenerator<StatePart> {
  for (const { table, collection } of layouts) {
    const sql = `SELECT key, etag, body FROM ${table} ORDER BY key`;
    for await (const rows of inParts<DocumentRow>(db, sql)) {
      yield { of: 'documents', collection: collection.name, rows };
    }
  }
  const columns = workColumns(db);
  const work = `SELECT ${columns.join(', ')} FROM work ORDER BY id`;
  for await (const rows of inParts<(string | number | null)[]>(db, work)) {
    yield { of: 'work', rows: rows.map((row) => workRow(columns, row)) };
  }
  for await (const rows of inParts<ChangeRow>(db, CHANGES)) yield { of: 'changes', rows };
}

/** Asked of the table, so that a column more needs no change here. */
export function workColumns(db: Database): string[] {
  const names = db.rows('PRAGMA table_info(work)').map(([, name]) => String(name));
  return names.filter((name) => !LEASE_COLUMNS.has(name));
}

function workRow(columns: readonly string[], values: readonly (string | number | null)[]): WorkRow {
  const row: Record<string, string | number | null> = {};
  for (const [i, name] of columns.entries()) row[name] = values[i] ?? null;
  if (row.state === WORK_STATE.leased) row.state = WORK_STATE.waiting;
  return row;
}

async function* inParts<Row extends readonly unknown[]>(db: Database, sql: string): AsyncGenerator<Row[]> {
  let rows: Row[] = [];
  let characters = 0;
  for (const row of db.prepare<Row>(sql).iterate()) {
    rows.push(row);
    for (const value of row) if (typeof value === 'string') characters += value.length;
    if (rows.length < PART_ROWS && characters < PART_CHARACTERS) continue;
    yield rows;
    await new Promise<void>(nextTurn);
    rows = [];
    characters = 0;
  }
  if (rows.length > 0) yield rows;
}
