import { StoreError } from '../errors.ts';
import type { Change } from '../types.ts';
import type { Database } from './database.ts';

const AFTER = 'SELECT seq, source, kind, subject, outcome, at, data FROM changes WHERE seq > ? ORDER BY seq LIMIT ?';
const FORGET = 'DELETE FROM changes WHERE seq IN (SELECT seq FROM changes WHERE seq <= ? ORDER BY seq LIMIT ?)';
/** A fixed number of digits, so that cursors compare as text; the same as on PostgreSQL, so that a cursor survives a change of engine. */
const CURSOR_DIGITS = 19;

type ChangeRow = [number, string, string, string, Change['outcome'], number, string];

/** SQLite has one writer, so the order of the numbers is the order of the commits. */
export function changesAfter(db: Database, cursor: string | undefined, limit: number): Change[] {
  const rows = db.rows(AFTER, [cursor === undefined ? 0 : parse(cursor), limit]) as ChangeRow[];
  return rows.map(([seq, source, kind, subject, outcome, at, data]) => {
    return { cursor: format(seq), source, kind, subject, outcome, at, data: JSON.parse(data) };
  });
}

export function newestCursor(db: Database): string | undefined {
  const seq = db.row('SELECT max(seq) FROM changes')?.[0];
  return typeof seq === 'number' ? format(seq) : undefined;
}

export function forgetChanges(db: Database, upTo: string, limit: number): number {
  return db.run(FORGET, [parse(upTo), limit]);
}

function format(seq: number): string {
  return String(seq).padStart(CURSOR_DIGITS, '0');
}

function parse(cursor: string): number {
  if (!/^0\d{18}$/.test(cursor)) throw new StoreError('BAD_QUERY', `'${cursor}' is not a cursor of the change feed`);
  return Number(cursor);
}
