import { StoreError } from '../errors.ts';
import type { Change } from '../types.ts';
import type { Connection } from './connection.ts';

/**
 * Transactions commit in another order than they number their records, so a reader that follows the numbers would pass over
 * those that commit late. Records are therefore ordered by their transaction's id first, and are given out only once every
 * transaction with a lower id is over: then nothing can come in before them any more.
 */
const SETTLED = 'xid < pg_snapshot_xmin(pg_current_snapshot())';
const AFTER = `
  SELECT later.hidden, page.* FROM
    (SELECT EXISTS (SELECT 1 FROM cloudjar.changes WHERE xid >= pg_snapshot_xmin(pg_current_snapshot())) AS hidden) AS later
  LEFT JOIN LATERAL (
    SELECT xid::text, seq::text, source, kind, subject, outcome, at, data FROM cloudjar.changes
    WHERE (xid, seq) > ($1::xid8, $2::bigint) AND ${SETTLED} ORDER BY cloudjar.changes.xid, cloudjar.changes.seq LIMIT $3) AS page ON true`;
const NEWEST = `
  SELECT xid::text, seq::text FROM cloudjar.changes
  WHERE ${SETTLED} ORDER BY cloudjar.changes.xid DESC, cloudjar.changes.seq DESC LIMIT 1`;

const HEX_DIGITS = 16;

type ChangeRow = [boolean, string | null, string, string, string, string, Change['outcome'], number, string];

export interface FeedPage {
  readonly changes: Change[];
  /** There are committed records that may not be given out yet; ask again soon. */
  readonly hidden: boolean;
}

export async function changesAfter(on: Connection, cursor: string | undefined, limit: number): Promise<FeedPage> {
  const [xid, seq] = cursor === undefined ? ['0', '0'] : parse(cursor);
  const { rows } = await on.query(AFTER, [xid, seq, limit], 'changes-after');
  const changes: Change[] = [];
  for (const [, rowXid, rowSeq, source, kind, subject, outcome, at, data] of rows as ChangeRow[]) {
    if (rowXid === null) continue;
    changes.push({ cursor: format(rowXid, rowSeq), source, kind, subject, outcome, at, data: JSON.parse(data) });
  }
  return { changes, hidden: rows[0]?.[0] === true };
}

export async function newestCursor(on: Connection): Promise<string | undefined> {
  const { rows } = await on.query(NEWEST);
  const [row] = rows as [string, string][];
  return row && format(row[0], row[1]);
}

/** Both numbers in hexadecimal of full width, so that cursors compare as text. */
function format(xid: string, seq: string): string {
  return BigInt(xid).toString(16).padStart(HEX_DIGITS, '0') + BigInt(seq).toString(16).padStart(HEX_DIGITS, '0');
}

function parse(cursor: string): [xid: string, seq: string] {
  if (!/^[0-9a-f]{32}$/.test(cursor))
    throw new StoreError('BAD_QUERY', `'${cursor}' is not a cursor of the change feed`);
  return [BigInt(`0x${cursor.slice(0, HEX_DIGITS)}`).toString(), BigInt(`0x${cursor.slice(HEX_DIGITS)}`).toString()];
}
