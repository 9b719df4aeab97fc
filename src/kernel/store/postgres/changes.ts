import { StoreError } from '../errors.ts';
import type { Change, NewChange } from '../types.ts';
import { storable } from '../values.ts';
import type { Connection } from './connection.ts';

/**
 * Transactions commit in another order than they number their records, so a reader that follows the numbers would pass over
 * those that commit late. Every writer therefore holds a shared lock, taken before it draws a number and named after the
 * newest number at that moment: all of its own are greater. A reader looks at the newest number first, then at the locks, and
 * goes no further than the least of them. What it then reads, in a statement of its own, is complete up to there; the last
 * transaction of a page may go on in the next one.
 *
 * The ids of the transactions would order them as well, but the server knows the oldest running one only for all of its
 * databases together: a long job in somebody else's would hold up this feed.
 */
const LOCK_CLASS = 0x434a;
/** Locks have names of 31 bits; the rest of a number is taken from the newest, which is never so far away. */
const NAME_BITS = 0x7fffffff;

const INSERT = `
  INSERT INTO cloudjar.changes (seq, source, kind, subject, outcome, at, data)
  SELECT nextval('cloudjar.changes_seq'), $1, $2, $3, $4, $5, $6 FROM (
    SELECT pg_advisory_xact_lock_shared(${LOCK_CLASS}, (last_value & ${NAME_BITS})::int)
    FROM cloudjar.changes_seq OFFSET 0) AS held`;
/** The writer's lock by itself, for one that brings numbers of its own. */
export const HOLD_FEED = `
  SELECT pg_advisory_xact_lock_shared(${LOCK_CLASS}, (last_value & ${NAME_BITS})::int) FROM cloudjar.changes_seq`;
const SETTLED = `
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

/** As many digits as the greatest number of the server has, so that cursors compare as text. */
const CURSOR_DIGITS = 19;

type ChangeRow = [boolean, string | null, string, string, string, Change['outcome'], number, string];

export interface FeedPage {
  readonly changes: Change[];
  /** There are committed records that may not be given out yet; ask again soon. */
  readonly hidden: boolean;
}

/** To be run in the transaction that the record is about. */
export async function insertChange(on: Connection, change: NewChange): Promise<void> {
  const { source, kind, subject, outcome, at, data } = change;
  await on.query(INSERT, [source, kind, storable(subject), outcome, at, JSON.stringify(data)], 'change');
}

export async function changesAfter(on: Connection, cursor: string | undefined, limit: number): Promise<FeedPage> {
  const after = cursor === undefined ? '0' : parse(cursor);
  const { rows } = await on.query(AFTER, [after, await settled(on), limit], 'changes-after');
  return { changes: changesOf(rows as ChangeRow[]), hidden: rows[0]?.[0] === true };
}

/** Also those that may not be given out yet. */
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
  const { rows } = await on.query(NEWEST, [await settled(on)]);
  const newest = rows[0]?.[0];
  return typeof newest === 'string' ? format(newest) : undefined;
}

/** Also of those that may not be given out yet. */
export async function newestOfAll(on: Connection): Promise<string | undefined> {
  const { rows } = await on.query(NEWEST_OF_ALL, []);
  const newest = rows[0]?.[0];
  return typeof newest === 'string' ? format(newest) : undefined;
}

export async function forgetChanges(on: Connection, upTo: string, limit: number): Promise<number> {
  const { count } = await on.query(FORGET, [parse(upTo), limit], 'forget-changes');
  return count;
}

/** The number up to which no record can come in any more. */
async function settled(on: Connection): Promise<string> {
  const { rows } = await on.query(SETTLED, [], 'changes-settled');
  return String(rows[0]?.[0]);
}

function format(seq: string): string {
  return seq.padStart(CURSOR_DIGITS, '0');
}

function parse(cursor: string): string {
  if (!/^0\d{18}$/.test(cursor)) throw new StoreError('BAD_QUERY', `'${cursor}' is not a cursor of the change feed`);
  return cursor;
}
