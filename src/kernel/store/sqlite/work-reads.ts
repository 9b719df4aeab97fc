import type { DueRequest, DueWork } from '../due-work.ts';
import { WORK_STATE } from '../migrations.ts';
import { type CountRow, dueWork, type ItemRow } from '../sql/due-work.ts';
import type { KindStats, WorkStats } from '../types.ts';
import { MOST_COUNTED } from '../views.ts';
import type { Database } from './database.ts';

const { waiting, leased, parked } = WORK_STATE;

const NEXT_WAITING = `SELECT min(due_at) FROM work WHERE state = ${waiting}`;
const NEXT_ABANDONED = `SELECT min(due_at) FROM work WHERE state = ${leased} AND lease_until <= ?`;
const DUE = `SELECT count(*) FROM work WHERE state = ${waiting} AND due_at <= ?`;
const HELD = `SELECT count(*) FROM work WHERE state = ${leased}`;
const OF_KIND = ' AND kind = ?';
const COUNT_UNTIL = `
  SELECT count(*), min(due_at), max(due_at) FROM work WHERE state = ? AND due_at <= ?${OF_KIND}`;
const ITEMS_UNTIL = `
  SELECT id, kind, due_at, payload, seq FROM work
  WHERE state = ? AND due_at <= ?${OF_KIND} ORDER BY due_at, seq LIMIT ?`;
const STATS = `
  SELECT (SELECT count(*) FROM work WHERE state = ${waiting}), (SELECT count(*) FROM work WHERE state = ${leased}),
         (SELECT count(*) FROM work WHERE state = ${parked}),
         (SELECT min(due_at) FROM work WHERE state = ${waiting}), (SELECT min(due_at) FROM work WHERE state = ${leased})`;
const counted = (condition: string) =>
  `(SELECT count(*) FROM (SELECT 1 FROM work WHERE ${condition} LIMIT ${MOST_COUNTED}))`;
const KIND_STATS = `
  SELECT ${counted(`state = ${waiting} AND kind = ?1 AND due_at <= ?2`)},
         ${counted(`state = ${waiting} AND kind = ?1 AND due_at > ?2`)},
         ${counted(`state = ${leased} AND kind = ?1`)}, ${counted(`state = ${parked} AND kind = ?1`)},
         (SELECT min(due_at) FROM work WHERE state = ${waiting} AND kind = ?1),
         (SELECT min(due_at) FROM work WHERE state = ${leased} AND kind = ?1)`;
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

  due({ kinds, until, limit }: DueRequest): DueWork {
    const counts: CountRow[] = [];
    const items: ItemRow[] = [];
    const present = new Set(this.kinds());
    for (const kind of new Set(kinds)) {
      if (!present.has(kind)) continue;
      for (const state of [waiting, leased]) {
        const [count, first, last] = this.#db.row(COUNT_UNTIL, [state, until, kind])!;
        if (count === 0) continue;
        counts.push([kind, Number(count), Number(first), Number(last)]);
        items.push(...(this.#db.rows(ITEMS_UNTIL, [state, until, kind, limit]) as ItemRow[]));
      }
    }
    return dueWork(counts, items, limit);
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

  byKind(now: number): KindStats[] {
    return this.#kindsIn([waiting, leased, parked])
      .sort()
      .map((kind) => {
        const [due, later, held, ended, ...oldest] = this.#db.row(KIND_STATS, [kind, now])!;
        return {
          kind,
          due: Number(due),
          later: Number(later),
          leased: Number(held),
          parked: Number(ended),
          oldestDueAt: earliest(oldest),
        };
      });
  }

  kinds(): string[] {
    return this.#kindsIn([waiting, leased]);
  }

  #kindsIn(states: readonly number[]): string[] {
    const rows = states.flatMap((state) => [...this.#db.rows(kindsIn(state))]);
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
