import { WORK_STATE } from '../migrations.ts';
import type { WorkStats } from '../types.ts';
import type { Database } from './database.ts';

const { waiting, leased, parked } = WORK_STATE;

const NEXT_WAITING = `SELECT min(due_at) FROM work WHERE state = ${waiting}`;
const NEXT_ABANDONED = `SELECT min(due_at) FROM work WHERE state = ${leased} AND lease_until <= ?`;
const DUE = `SELECT count(*) FROM work WHERE state = ${waiting} AND due_at <= ?`;
const HELD = `SELECT count(*) FROM work WHERE state = ${leased}`;
const OF_KIND = ' AND kind = ?';
const STATS = `
  SELECT (SELECT count(*) FROM work WHERE state = ${waiting}), (SELECT count(*) FROM work WHERE state = ${leased}),
         (SELECT count(*) FROM work WHERE state = ${parked}),
         (SELECT min(due_at) FROM work WHERE state = ${waiting}), (SELECT min(due_at) FROM work WHERE state = ${leased})`;
/** Jumps from kind to kind in the index, however many items each kind has. */
export const kindsIn = (state: number) => `
  WITH RECURSIVE each (kind) AS (
    SELECT min(kind) FROM work WHERE state = ${state}
    UNION ALL SELECT (SELECT min(kind) FROM work WHERE state = ${state} AND kind > each.kind) FROM each WHERE each.kind IS NOT NULL)
  SELECT kind FROM each WHERE kind IS NOT NULL`;

/** The read-only queries on due work. */
export class WorkReads {
  readonly #db: Database;
  readonly #now: () => number;

  constructor(db: Database, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  nextDue(kinds?: readonly string[]): number | undefined {
    const now = this.#now();
    if (!kinds) return earliest([this.#value(NEXT_WAITING), this.#value(NEXT_ABANDONED, now)]);
    return earliest(
      kinds.flatMap((kind) => [
        this.#value(NEXT_WAITING + OF_KIND, kind),
        this.#value(NEXT_ABANDONED + OF_KIND, now, kind),
      ]),
    );
  }

  pending(now: number, kinds?: readonly string[]): number {
    if (!kinds) return Number(this.#value(DUE, now)) + Number(this.#value(HELD));
    let pending = 0;
    for (const kind of new Set(kinds)) {
      pending += Number(this.#value(DUE + OF_KIND, now, kind)) + Number(this.#value(HELD + OF_KIND, kind));
    }
    return pending;
  }

  stats(): WorkStats {
    const [waitingItems, leasedItems, parkedItems, ...oldest] = this.#db.row(STATS)!;
    return {
      waiting: Number(waitingItems),
      leased: Number(leasedItems),
      parked: Number(parkedItems),
      oldestDueAt: earliest(oldest),
    };
  }

  kinds(): string[] {
    const rows = [...this.#db.rows(kindsIn(waiting)), ...this.#db.rows(kindsIn(leased))];
    return [...new Set(rows.map(([kind]) => String(kind)))];
  }

  #value(sql: string, ...values: (string | number)[]): unknown {
    return this.#db.row(sql, values)?.[0];
  }
}

function earliest(times: readonly unknown[]): number | undefined {
  const known = times.filter((time) => typeof time === 'number');
  return known.length === 0 ? undefined : Math.min(...known);
}
