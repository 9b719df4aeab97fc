import { StoreError } from '../errors.ts';
import type { Change, NewChange } from '../types.ts';
import { storable } from '../values.ts';
import type { Connection } from './connection.ts';

/**
 * Transactions commit in a different order than they number their records, so a reader that follows the numbers would skip the records of a
 * late commit. Every writer therefore holds a shared lock, taken before it draws a number and named after the newest number at that moment:
 * all its own numbers are greater. A reader reads the newest number first, then the locks, and stops at the smallest. What it then reads,
 * in a separate statement, is complete up to that number; the records of the last transaction may continue on the next page.
 *
 * Transaction ids would order the records as well, but the server knows the oldest running transaction only across all its databases: a
 * long job in a foreign database would block this feed.
 */
const LOCK_CLASS = 0x434a;
/** Lock names have 31 bits; the upper bits of the number come from the newest number, which is never further away than that. */
const NAME_BITS = 0x7fffffff;

const INSERT = `
  INSERT INTO cloudjar.changes (seq, source, kind, subject, outcome, at, data)
  SELECT nextval('cloudjar.changes_seq'), $1, $2, $3, $4, $5, $6 FROM (
    SELECT pg_advisory_xact_lock_shared(${LOCK_CLASS}, (last_value & ${NAME_BITS})::int)
    FROM cloudjar.changes_seq OFFSET 0) AS held`;
/** Takes only the writer's lock, for a writer that assigns its own numbers. */
export const HOLD_FEED = `
  SELECT pg_advisory_xact_lock_shared(${LOCK_CLASS}, (last_value & ${NAME_BITS})::int) FROM cloudjar.changes_seq`;
const WATERMARK = `
  SELECT least(newest.last_value, (
    SELECT min(newest.last_value - ((newest.last_value - objid::bigint) & ${NAME_BITS})) FROM pg_locks
    WHERE locktype = 'advisory' AND classid = ${LOCK_CLASS} AND objsubid = 2
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())))::text
  FROM cloudjar.changes_seq AS newest`;
const AFTER = `
  SELECT later.hidden, page.* FROM (SELECT EXISTS (SELECT 1 FROM cloudjar.changes WHERE seq > $2) AS hidden) AS later
  LEFT JOIN LATERAL (
    SELECT seq::text AS number, source, kind, subject, outcome, at, data FROM cloudjar.changes
    WHERE seq > $1 AND seq <= $2 ORDER BY seq LIMIT $3) AS page ON true`;
const ALL_AFTER = `
  SELECT false, seq::text, source, kind, subject, outcome, at, data FROM cloudjar.changes WHERE seq > $1 ORDER BY seq LIMIT $2`;
const NEWEST_OF_ALL = 'SELECT max(seq)::text FROM cloudjar.changes';
const NEWEST = 'SELECT max(seq)::text FROM cloudjar.changes WHERE seq <= $1';

const FORGET = `
  DELETE FROM cloudjar.changes WHERE seq IN (SELECT seq FROM cloudjar.changes WHERE seq <= $1 ORDER BY seq LIMIT $2)`;

/** The number of digits of the server's greatest number, so that cursors compare as text. */
const CURSOR_DIGITS = 19;

type ChangeRow = [boolean, string | null, string, string, string, Change['outcome'], number, string];

export interface FeedPage {
  readonly changes: Change[];
  /** True if committed records exist that must not be returned yet; poll again soon. */
  readonly hidden: boolean;
}

/** Call within the transaction that the record describes. */
export async function insertChange(on: Connection, change: NewChange): Promise<void> {
  const { source, kind, subject, outcome, at, data } = change;
  await on.query(INSERT, [source, kind, storable(subject), outcome, at, JSON.stringify(data)], 'change');
}

export async function changesAfter(on: Connection, cursor: string | undefined, limit: number): Promise<FeedPage> {
  const after = cursor === undefined ? '0' : parse(cursor);
  const { rows } = await on.query(AFTER, [after, await watermark(on), limit], 'changes-after');
  return { changes: changesOf(rows as ChangeRow[]), hidden: rows[0]?.[0] === true };
}

/** Includes records that are hidden from readers so far. */
export async function allAfter(on: Connection, cursor: string | undefined, limit: number): Promise<Change[]> {
  const after = cursor === undefined ? '0' : parse(cursor);
  const { rows } = await on.query(ALL_AFTER, [after, limit], 'all-changes-after');
  return changesOf(rows as ChangeRow[]);
}

function changesOf(rows: readonly ChangeRow[]): Change[] {
  const changes: Change[] = [];
  for (const [, number, source, kind, subject, outcome, at, data] of rows) {
    if (number === null) continue;
    changes.push({ cursor: format(number), source, kind, subject, outcome, at, data: JSON.parse(data) });
  }
  return changes;
}

export async function newestCursor(on: Connection): Promise<string | undefined> {
  const { rows } = await on.query(NEWEST, [await watermark(on)]);
  const newest = rows[0]?.[0];
  return typeof newest === 'string' ? format(newest) : undefined;
}

/** Includes records that are hidden from readers so far. */
export async function newestOfAll(on: Connection): Promise<string | undefined> {
  const { rows } = await on.query(NEWEST_OF_ALL, []);
  const newest = rows[0]?.[0];
  return typeof newest === 'string' ? format(newest) : undefined;
}

export async function forgetChanges(on: Connection, upTo: string, limit: number): Promise<number> {
  const { count } = await on.query(FORGET, [parse(upTo), limit], 'forget-changes');
  return count;
}

/** Returns the watermark: no new record can appear at or below this number. */
async function watermark(on: Connection): Promise<string> {
  const { rows } = await on.query(WATERMARK, [], 'changes-watermark');
  return String(rows[0]?.[0]);
}

function format(seq: string): string {
  return seq.padStart(CURSOR_DIGITS, '0');
}

function parse(cursor: string): string {
  if (!/^0\d{18}$/.test(cursor)) throw new StoreError('BAD_QUERY', `'${cursor}' is not a cursor of the change feed`);
  return cursor;
}
