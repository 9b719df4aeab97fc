import { uuid } from '../../ids/index.ts';
import type { DueRequest, DueWork } from '../due-work.ts';
import { leaseLost } from '../errors.ts';
import { WORK_STATE } from '../migrations.ts';
import { type CountRow, dueWork, type ItemRow } from '../sql/due-work.ts';
import type { ClaimRequest, KindStats, NewWork, WorkItem, WorkStats } from '../types.ts';
import { storable } from '../values.ts';
import { MOST_COUNTED } from '../views.ts';
import type { Connection } from './connection.ts';

const { waiting, leased, parked } = WORK_STATE;
/** The maximum number of expired leases that one claim frees; the next claim continues. */
const MOST_VOIDED = 1000;

const SCHEDULE = `
  INSERT INTO cloudjar.work (id, kind, due_at, payload) VALUES ($1, $2, $3, $4)
  ON CONFLICT (id) DO UPDATE SET seq = nextval('cloudjar.work_seq'), kind = excluded.kind, due_at = excluded.due_at,
    payload = excluded.payload, attempts = 0, state = ${waiting}, lease = NULL, lease_until = NULL, reason = NULL`;
/** Every transaction that wakes an item holds this lock until its commit; a transaction that settles the item needs it exclusively. */
const LOCK_SHARED = 'SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 1))';
const TRY_LOCK = 'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 1))';
const IS_AWAKE = `
  SELECT 1 FROM cloudjar.work WHERE id = $1 AND (state = ${leased} OR (state = ${waiting} AND due_at <= $2))`;
/** Repeats the condition of IS_AWAKE: the item may have been claimed since it was read, and a lease must not be ended. */
const WAKE = `
  INSERT INTO cloudjar.work AS work (id, kind, due_at, payload) VALUES ($1, $2, $3, $4)
  ON CONFLICT (id) DO UPDATE SET seq = nextval('cloudjar.work_seq'), kind = excluded.kind, due_at = excluded.due_at,
    payload = excluded.payload, attempts = 0, state = ${waiting}, reason = NULL
  WHERE work.state = ${parked} OR (work.state = ${waiting} AND work.due_at > excluded.due_at)`;
const HOLDS = 'SELECT 1 FROM cloudjar.work WHERE id = $1 AND lease = $2 FOR UPDATE';
const KEEP = 'SELECT 1 FROM cloudjar.work WHERE id = $1 AND lease = $2 FOR SHARE';
const PUT_BACK = `
  UPDATE cloudjar.work SET seq = nextval('cloudjar.work_seq'), due_at = $1, attempts = 0, state = ${waiting},
    lease = NULL, lease_until = NULL, reason = NULL
  WHERE id = $2 AND lease = $3`;
const RETRY = `
  UPDATE cloudjar.work SET seq = nextval('cloudjar.work_seq'), due_at = $1, reason = $2, attempts = attempts + 1,
    state = ${waiting}, lease = NULL, lease_until = NULL
  WHERE id = $3 AND lease = $4`;
const PARK = `
  UPDATE cloudjar.work SET reason = $1, attempts = attempts + 1, state = ${parked}, lease = NULL, lease_until = NULL
  WHERE id = $2 AND lease = $3`;
/** The attempt of a dead holder counts, so that an item that crashes its holder is not retried for ever. */
const VOID_LEASES = `
  UPDATE cloudjar.work SET state = ${waiting}, attempts = attempts + 1, lease = NULL, lease_until = NULL
  WHERE id IN (SELECT id FROM cloudjar.work WHERE state = ${leased} AND lease_until <= clock_timestamp()
               LIMIT ${MOST_VOIDED} FOR UPDATE SKIP LOCKED)`;
const FREE_LEASES = `
  WITH held AS (SELECT id, lease FROM cloudjar.work WHERE state = ${leased} AND lease = ANY ($1::text[]) FOR UPDATE)
  UPDATE cloudjar.work AS work SET state = ${waiting}, lease = NULL, lease_until = NULL
  FROM held WHERE work.id = held.id RETURNING held.lease`;
/** Each kind has an index lookup of its own: a claim must not read a long queue of one kind to reach another. */
const CLAIM = `
  WITH due AS (
    SELECT item.id FROM unnest($1::text[], $6::integer[]) AS wanted (kind, room)
    CROSS JOIN LATERAL (
      SELECT id, due_at, seq FROM cloudjar.work
      WHERE state = ${waiting} AND kind = wanted.kind AND due_at <= $2
      ORDER BY due_at, seq LIMIT wanted.room FOR UPDATE SKIP LOCKED) AS item
    ORDER BY item.due_at, item.seq LIMIT $3)
  UPDATE cloudjar.work AS work
  SET state = ${leased}, lease = $4, lease_until = clock_timestamp() + $5 * interval '1 millisecond'
  FROM due WHERE work.id = due.id
  RETURNING work.id, work.kind, work.due_at, work.payload, work.attempts, work.seq::float8`;
const RENEW = `
  UPDATE cloudjar.work AS work SET lease_until = clock_timestamp() + $3 * interval '1 millisecond'
  FROM unnest($1::text[], $2::text[]) AS held (id, lease) WHERE work.id = held.id AND work.lease = held.lease
  RETURNING work.id`;
const OF_KINDS = 'kind = ANY($1)';
const nextDueSql = (kinds: string) => `
  SELECT min(due_at) FROM (
    SELECT min(due_at) AS due_at FROM cloudjar.work WHERE state = ${waiting} AND ${kinds}
    UNION ALL SELECT min(due_at) FROM cloudjar.work
    WHERE state = ${leased} AND lease_until <= clock_timestamp() AND ${kinds}) AS each`;
const pendingSql = (now: string, kinds: string) => `
  SELECT (SELECT count(*) FROM cloudjar.work WHERE state = ${waiting} AND due_at <= ${now} AND ${kinds})
       + (SELECT count(*) FROM cloudjar.work WHERE state = ${leased} AND ${kinds})`;
const COUNT_UNTIL = `
  SELECT kind, count(*)::float8, min(due_at), max(due_at) FROM cloudjar.work
  WHERE state IN (${waiting}, ${leased}) AND ${OF_KINDS} AND due_at <= $2 GROUP BY kind`;
/** Each kind has an index lookup of its own, which reads no more than the limit. */
const ITEMS_UNTIL = `
  SELECT item.id, wanted.kind, item.due_at, item.payload, item.seq::float8
  FROM unnest($1::text[]) AS wanted (kind)
  CROSS JOIN unnest(ARRAY[${waiting}, ${leased}]::smallint[]) AS states (state)
  CROSS JOIN LATERAL (
    SELECT id, due_at, payload, seq FROM cloudjar.work AS work
    WHERE work.state = states.state AND work.kind = wanted.kind AND due_at <= $2
    ORDER BY due_at, seq LIMIT $3) AS item
  ORDER BY item.due_at, item.seq LIMIT $3`;
const STATS = `
  SELECT (SELECT count(*) FROM cloudjar.work WHERE state = ${waiting}),
         (SELECT count(*) FROM cloudjar.work WHERE state = ${leased}),
         (SELECT count(*) FROM cloudjar.work WHERE state = ${parked}),
         least((SELECT min(due_at) FROM cloudjar.work WHERE state = ${waiting}),
               (SELECT min(due_at) FROM cloudjar.work WHERE state = ${leased}))`;
/** Jumps from kind to kind in the index, however many items each kind has. */
const kindsIn = (states: readonly number[]) => `
  WITH RECURSIVE each (state, kind) AS (
    SELECT state, (SELECT min(kind) FROM cloudjar.work AS work WHERE work.state = states.state)
    FROM unnest(ARRAY[${states.join(', ')}]::smallint[]) AS states (state)
    UNION ALL
    SELECT state, (SELECT min(kind) FROM cloudjar.work AS work WHERE work.state = each.state AND work.kind > each.kind)
    FROM each WHERE each.kind IS NOT NULL)
  SELECT DISTINCT kind FROM each WHERE kind IS NOT NULL`;
const KINDS = kindsIn([waiting, leased]);
const counted = (condition: string) => `
  (SELECT count(*)::float8 FROM (SELECT 1 FROM cloudjar.work AS work WHERE ${condition} LIMIT ${MOST_COUNTED}) AS counted)`;
const OF_THIS = 'work.kind = present.kind';
const BY_KIND = `
  SELECT kind, ${counted(`state = ${waiting} AND ${OF_THIS} AND due_at <= $1`)},
    ${counted(`state = ${waiting} AND ${OF_THIS} AND due_at > $1`)},
    ${counted(`state = ${leased} AND ${OF_THIS}`)}, ${counted(`state = ${parked} AND ${OF_THIS}`)},
    least((SELECT min(due_at) FROM cloudjar.work AS work WHERE state = ${waiting} AND ${OF_THIS}),
          (SELECT min(due_at) FROM cloudjar.work AS work WHERE state = ${leased} AND ${OF_THIS}))
  FROM (${kindsIn([waiting, leased, parked])}) AS present ORDER BY kind`;

export async function schedule(on: Connection, work: NewWork): Promise<string> {
  const id = work.id === undefined ? uuid() : storable(work.id);
  await on.query(SCHEDULE, [id, work.kind, work.dueAt, JSON.stringify(work.payload)], 'schedule');
  return id;
}

/** Returns true if workers have to poll again. */
export async function wake(on: Connection, work: NewWork & { readonly id: string }): Promise<boolean> {
  const id = storable(work.id);
  // In a separate statement: the next one needs a snapshot taken after the lock.
  await on.query(LOCK_SHARED, [id], 'wake-lock');
  const { rows } = await on.query(IS_AWAKE, [id, work.dueAt], 'is-awake');
  if (rows.length > 0) return false;
  await on.query(WAKE, [id, work.kind, work.dueAt, JSON.stringify(work.payload)], 'wake');
  // If a concurrent wake was first, the upsert changes nothing but locks the row until the commit. The claim that the other wake triggered
  // skips the locked row, so workers have to poll again.
  return true;
}

/** Returns true if no transaction that wakes the item is still running; prevents others from waking it until this transaction ends. */
export async function quiet(on: Connection, item: WorkItem<unknown>): Promise<boolean> {
  const { rows } = await on.query(TRY_LOCK, [item.id], 'settle-lock');
  return rows[0]?.[0] === true;
}

export async function checkLease(on: Connection, item: WorkItem<unknown>): Promise<void> {
  const { rows } = await on.query(HOLDS, [item.id, item.lease], 'holds');
  if (rows.length === 0) throw leaseLost(item);
}

/** Like `checkLease`, but with a shared lock: several transactions of the same holder can keep the lease. */
export async function keepLease(on: Connection, item: WorkItem<unknown>): Promise<void> {
  const { rows } = await on.query(KEEP, [item.id, item.lease], 'keep');
  if (rows.length === 0) throw leaseLost(item);
}

export async function putBack(on: Connection, item: WorkItem<unknown>, dueAt: number): Promise<void> {
  const { count } = await on.query(PUT_BACK, [dueAt, item.id, item.lease], 'put-back');
  if (count === 0) throw leaseLost(item);
}

export async function cancel(on: Connection, id: string): Promise<boolean> {
  const { count } = await on.query('DELETE FROM cloudjar.work WHERE id = $1', [storable(id)], 'cancel');
  return count > 0;
}

export async function complete(on: Connection, item: WorkItem<unknown>): Promise<void> {
  const values = [item.id, item.lease];
  const { count } = await on.query('DELETE FROM cloudjar.work WHERE id = $1 AND lease = $2', values, 'complete');
  if (count === 0) throw leaseLost(item);
}

export async function retry(on: Connection, item: WorkItem<unknown>, dueAt: number, reason: string): Promise<void> {
  const { count } = await on.query(RETRY, [dueAt, storable(reason), item.id, item.lease], 'retry');
  if (count === 0) throw leaseLost(item);
}

export async function park(on: Connection, item: WorkItem<unknown>, reason: string): Promise<void> {
  const { count } = await on.query(PARK, [storable(reason), item.id, item.lease], 'park');
  if (count === 0) throw leaseLost(item);
}

type ClaimedRow = [id: string, kind: string, dueAt: number, payload: string, attempts: number, seq: number];

export async function claim(on: Connection, request: ClaimRequest, lease: string): Promise<WorkItem[]> {
  const { now, limit, leaseMs, rooms = [] } = request;
  await on.query(VOID_LEASES, [], 'void-leases');
  const kinds = [...new Set(request.kinds)];
  const room = kinds.map((kind) => rooms[request.kinds.indexOf(kind)] ?? limit);
  const { rows } = await on.query<ClaimedRow>(CLAIM, [kinds, now, limit, lease, leaseMs, room]);
  const claimed = rows.sort((a, b) => a[2] - b[2] || a[5] - b[5]);
  return claimed.map(([id, kind, dueAt, payload, attempts]) => {
    return { id, kind, dueAt, payload: JSON.parse(payload), attempts, lease };
  });
}

/** Returns the leases that were held. The attempts are not counted, because the items were never processed. */
export async function freeLeases(on: Connection, leases: readonly string[]): Promise<string[]> {
  const { rows } = await on.query(FREE_LEASES, [leases]);
  return rows.map(([lease]) => String(lease));
}

export async function renew(on: Connection, items: readonly WorkItem<unknown>[], leaseMs: number): Promise<string[]> {
  const { rows } = await on.query(RENEW, [items.map((item) => item.id), items.map((item) => item.lease), leaseMs]);
  return rows.map(([id]) => String(id));
}

export async function nextDue(on: Connection, kinds?: readonly string[]): Promise<number | undefined> {
  const { rows } = kinds ? await on.query(nextDueSql(OF_KINDS), [kinds]) : await on.query(nextDueSql('true'));
  return optional(rows[0]?.[0]);
}

export async function pending(on: Connection, now: number, kinds?: readonly string[]): Promise<number> {
  const { rows } = kinds
    ? await on.query(pendingSql('$2', OF_KINDS), [kinds, now])
    : await on.query(pendingSql('$1', 'true'), [now]);
  return Number(rows[0]?.[0]);
}

export async function due(on: Connection, { kinds, until, limit }: DueRequest): Promise<DueWork> {
  const counts = await on.query<CountRow>(COUNT_UNTIL, [kinds, until]);
  const present = counts.rows.map(([kind]) => kind);
  if (present.length === 0) return dueWork([], [], limit);
  const items = await on.query<ItemRow>(ITEMS_UNTIL, [present, until, limit]);
  return dueWork(counts.rows, items.rows, limit);
}

export async function stats(on: Connection): Promise<WorkStats> {
  const { rows } = await on.query(STATS);
  const [waitingItems, leasedItems, parkedItems, oldest] = rows[0]!;
  return {
    waiting: Number(waitingItems),
    leased: Number(leasedItems),
    parked: Number(parkedItems),
    oldestDueAt: optional(oldest),
  };
}

export async function byKind(on: Connection, now: number): Promise<KindStats[]> {
  const { rows } = await on.query(BY_KIND, [now]);
  return rows.map(([kind, due, later, held, ended, oldest]) => ({
    kind: String(kind),
    due: Number(due),
    later: Number(later),
    leased: Number(held),
    parked: Number(ended),
    oldestDueAt: optional(oldest),
  }));
}

export async function kinds(on: Connection): Promise<string[]> {
  const { rows } = await on.query(KINDS);
  return rows.map(([kind]) => String(kind));
}

function optional(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
