import { etag, uuid } from '../../ids/index.ts';
import { leaseLost } from '../errors.ts';
import { WORK_STATE } from '../migrations.ts';
import type { ClaimRequest, NewWork, WorkItem } from '../types.ts';
import { storable } from '../values.ts';
import type { Database } from './database.ts';
import { kindsIn } from './work-reads.ts';

const { waiting, leased, parked } = WORK_STATE;

const SCHEDULE = `
  INSERT INTO work (id, seq, kind, due_at, payload) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, kind = excluded.kind, due_at = excluded.due_at, payload = excluded.payload,
    attempts = 0, state = ${waiting}, lease = NULL, lease_until = NULL, reason = NULL`;
const FIND = 'SELECT state, due_at FROM work WHERE id = ?';
const SETTLE = `
  UPDATE work SET seq = ?, due_at = ?, attempts = 0, state = ${waiting}, lease = NULL, lease_until = NULL, reason = NULL
  WHERE id = ? AND lease = ?`;
const HOLDS = 'SELECT 1 FROM work WHERE id = ? AND lease = ?';
const RETRY = `
  UPDATE work SET seq = ?, due_at = ?, reason = ?, attempts = attempts + 1, state = ${waiting}, lease = NULL, lease_until = NULL
  WHERE id = ? AND lease = ?`;
const PARK = `
  UPDATE work SET reason = ?, attempts = attempts + 1, state = ${parked}, lease = NULL, lease_until = NULL
  WHERE id = ? AND lease = ?`;
/** The attempt of a dead holder counts, so that an item that crashes its holder is not retried for ever. */
const VOID_LEASES = `
  UPDATE work SET state = ${waiting}, attempts = attempts + 1, lease = NULL, lease_until = NULL
  WHERE state = ${leased} AND lease_until <= ?`;
const WAITING_KINDS = kindsIn(waiting);
/** Each kind has an index lookup of its own: a claim must not read a long queue of one kind to reach another. */
const DUE_OF_KIND = `
  SELECT id, seq, kind, due_at, payload, attempts FROM work
  WHERE state = ${waiting} AND kind = ? AND due_at <= ? ORDER BY due_at, seq LIMIT ?`;
const LEASE = `UPDATE work SET state = ${leased}, lease = ?, lease_until = ? WHERE id = ?`;
const RENEW = `UPDATE work SET lease_until = ? WHERE id = ? AND lease = ?`;
type DueRow = [id: string, seq: number, kind: string, dueAt: number, payload: string, attempts: number];

/** The writes on due work, all synchronous; the caller provides the transaction. */
export class WorkTable {
  readonly #db: Database;
  readonly #now: () => number;
  #seq: number | undefined;

  constructor(db: Database, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  /** All leases belong to a process that no longer exists. */
  voidAllLeases(): void {
    if (this.#db.row(`SELECT 1 FROM work WHERE state = ${leased} LIMIT 1`))
      this.#db.run(VOID_LEASES, [Number.MAX_VALUE]);
  }

  schedule(work: NewWork): string {
    const id = work.id === undefined ? uuid() : storable(work.id);
    this.#db.run(SCHEDULE, [id, this.#nextSeq(), work.kind, work.dueAt, JSON.stringify(work.payload)]);
    return id;
  }

  /** Returns true if the item was created or changed. */
  wake(work: NewWork & { readonly id: string }): boolean {
    const [state, dueAt] = this.#db.row(FIND, [storable(work.id)]) ?? [];
    if (state === leased || (state === waiting && Number(dueAt) <= work.dueAt)) return false;
    this.schedule(work);
    return true;
  }

  holds(item: WorkItem<unknown>): boolean {
    return this.#db.row(HOLDS, [item.id, item.lease]) !== undefined;
  }

  putBack(item: WorkItem<unknown>, dueAt: number): void {
    if (this.#db.run(SETTLE, [this.#nextSeq(), dueAt, item.id, item.lease]) === 0) throw leaseLost(item);
  }

  cancel(id: string): boolean {
    return this.#db.run('DELETE FROM work WHERE id = ?', [storable(id)]) > 0;
  }

  complete(item: WorkItem<unknown>): void {
    if (this.#db.run('DELETE FROM work WHERE id = ? AND lease = ?', [item.id, item.lease]) === 0) throw leaseLost(item);
  }

  retry(item: WorkItem<unknown>, dueAt: number, reason: string): void {
    if (this.#db.run(RETRY, [this.#nextSeq(), dueAt, storable(reason), item.id, item.lease]) === 0)
      throw leaseLost(item);
  }

  park(item: WorkItem<unknown>, reason: string): void {
    if (this.#db.run(PARK, [storable(reason), item.id, item.lease]) === 0) throw leaseLost(item);
  }

  claim({ kinds, rooms = [], now, limit, leaseMs }: ClaimRequest): WorkItem[] {
    this.#db.run(VOID_LEASES, [this.#now()]);
    const due: DueRow[] = [];
    // Most kinds have no items, and a lookup for each would cost more than the rest of a claim.
    const present = new Set(this.#db.rows(WAITING_KINDS).map(([kind]) => kind));
    for (const [i, kind] of kinds.entries()) {
      if (!present.has(kind) || kinds.indexOf(kind) !== i) continue;
      due.push(...(this.#db.rows(DUE_OF_KIND, [kind, now, rooms[i] ?? limit]) as DueRow[]));
    }
    due.sort((a, b) => a[3] - b[3] || a[1] - b[1]);
    const lease = etag();
    const until = this.#now() + leaseMs;
    return due.slice(0, limit).map(([id, , kind, dueAt, payload, attempts]) => {
      this.#db.run(LEASE, [lease, until, id]);
      return { id, kind, dueAt, payload: JSON.parse(payload), attempts, lease };
    });
  }

  renew(items: readonly WorkItem<unknown>[], leaseMs: number): string[] {
    const until = this.#now() + leaseMs;
    return items.filter((item) => this.#db.run(RENEW, [until, item.id, item.lease]) > 0).map((item) => item.id);
  }

  /** Call when the items were replaced: numbering then continues from the new maximum. */
  forgetOrder(): void {
    this.#seq = undefined;
  }

  /** Only this process writes the file, so it can count the scheduling order itself. */
  #nextSeq(): number {
    this.#seq ??= Number(this.#db.row('SELECT max(seq) FROM work')?.[0] ?? 0);
    return ++this.#seq;
  }
}
