import type { Change, NewChange, Store, Tx, WorkItem } from '../store/types.ts';
import { changeRecords } from '../store/views.ts';
import { pause } from '../time/timers.ts';
import { DAY_MS, HOUR_MS } from '../time/units.ts';
import { type BoundWork, boundWork, defineWork } from '../work/kind.ts';
import { followings, places } from './places.ts';

/** How long change records are kept, and how many: beyond either, the oldest go. */
export interface ChangeLimits {
  readonly maxAgeMs: number;
  readonly maxCount: number;
}

/** Change records that one transaction removes. */
const STEP = 500;
/** After so many changes on a node their number is looked at. */
const COUNTED_EVERY = 1000;
/** On PostgreSQL, while somebody who has woken the item has not committed yet. */
const LOOK_AGAIN_MS = 10;
const MOST_FOLLOWERS = 1000;

export const prune = defineWork<object>('feed.prune', { maxAttempts: Number.POSITIVE_INFINITY });

/** There is one for all records. */
const itemAt = (dueAt: number) => prune.at(dueAt, {}, prune.kind);

/** Whether a follower of this name needs a change; one that is not known here may need any. */
export type Needs = (follower: string, change: NewChange) => boolean;

/** How many records there were when the newest had this number. */
interface Counted {
  count: number;
  readonly newest: number;
  /** The cursor of the oldest; undefined while it is not known yet which that is. */
  oldest: string | undefined;
  readonly at: number;
}

/**
 * Removes change records that are too old or too many, but none that an active follower has yet to look at. One item of due work sees to it,
 * so that one node does: it is due when the oldest record gets too old, by the full hour, and there is none while there are no records.
 */
export class ChangeRetention {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #limits: ChangeLimits;
  readonly #needs: Needs;
  /** Changes here since their number was looked at. Transactions that fail count too: it is a hint, no more. */
  #count = 0;
  /** When the item was woken; undefined where it has to be with the next change. */
  #wokenAt: number | undefined;
  /** Transactions that have woken it: one of many changes does it once. */
  readonly #wakers = new WeakSet<Tx>();
  #counted: Counted | undefined;

  constructor(store: Store, now: () => number, limits: ChangeLimits, needs: Needs) {
    this.#store = store;
    this.#now = now;
    this.#limits = limits;
    this.#needs = needs;
    // A reset or a snapshot has replaced all work; nothing else writes here often.
    store.onCommit(({ collections }) => {
      if (!collections.includes(followings.name)) return;
      this.#count = 0;
      this.#wokenAt = undefined;
      this.#counted = undefined;
    });
  }

  get #hasOneWriter(): boolean {
    return !this.#store.hasOtherWriters;
  }

  get work(): BoundWork {
    return boundWork(prune, (item, halt) => this.#run(item, halt));
  }

  /** Called in the transaction of every change; mostly there is nothing to do, and nothing to wait for. */
  changed(tx: Tx): Promise<void> | undefined {
    const now = this.#now();
    this.#count += 1;
    const since = this.#wokenAt === undefined ? Number.NaN : now - this.#wokenAt;
    const isRecent = since >= 0 && since < HOUR_MS;
    if (this.#count >= COUNTED_EVERY) {
      this.#count = 0;
      return tx.wake(itemAt(now));
    }
    if (isRecent || this.#wakers.has(tx)) return undefined;
    this.#wakers.add(tx);
    tx.afterCommit(() => {
      this.#wokenAt = now;
    });
    return this.#wakeForOldest(tx, now);
  }

  /**
   * In the same transaction where there is one writer. Where there are others, whoever makes the item keeps them waiting until it commits, and a
   * transaction of a user may take its time: there it is made in a transaction of its own, right after the commit. If the node ends in
   * between, the next change does it.
   */
  #wakeForOldest(tx: Tx, now: number): Promise<void> | undefined {
    const wake = async (on: Tx): Promise<void> => {
      const [oldest] = await on.changesAfter(undefined, 1);
      await on.wake(itemAt(oldest ? this.#dueFor(oldest) : now));
    };
    if (this.#hasOneWriter) return wake(tx);
    tx.afterCommit(() => {
      this.#store.transact(wake).catch(() => {
        this.#wokenAt = undefined;
      });
    });
    return undefined;
  }

  #dueFor({ at }: NewChange): number {
    return Math.ceil((at + this.#limits.maxAgeMs) / HOUR_MS) * HOUR_MS;
  }

  async #run(item: WorkItem<object>, halt: AbortSignal): Promise<void> {
    if (!this.#hasOneWriter) this.#counted = undefined;
    while (!halt.aborted && (await this.#step()) > 0) {}
    if (halt.aborted) this.#counted = undefined;
    while (!(await this.#settle(item, halt))) await pause(LOOK_AGAIN_MS);
  }

  /** Removes some of the oldest; gives how many. */
  async #step(): Promise<number> {
    const oldest = await this.#store.changesAfter(undefined, STEP);
    const young = oldest.findIndex(({ at }) => at > this.#now() - this.#limits.maxAgeMs);
    const old = young === -1 ? oldest.length : young;
    const outdated = oldest.slice(0, Math.max(old, await this.#excess(oldest[0])));
    if (outdated.length === 0) return 0;
    const removed = await this.#store.transact(async (tx) => {
      const last = outdated[(await this.#dispensable(tx, outdated)) - 1];
      return last ? tx.forgetChanges(last.cursor, STEP) : 0;
    });
    if (this.#counted && removed > 0) {
      this.#counted.count -= removed;
      this.#counted.oldest = undefined;
    }
    return removed;
  }

  /**
   * How many records there are too many, of those that can be given out. To count them takes long on SQLite, where their numbers have no gaps as
   * a rule: what was counted is brought up to date by the numbers, as long as nobody else has removed any, and counted again after an hour. With
   * several writers numbers have gaps, and more would go than are too many: there every run counts once, and what comes later is for the next.
   */
  async #excess(first: Change | undefined): Promise<number> {
    const newest = Number((await this.#store.newestCursor()) ?? 0);
    const now = this.#now();
    const known = this.#counted;
    if (!first || newest - Number(first.cursor) < this.#limits.maxCount) return 0;
    const isOurs = known?.oldest === undefined || known.oldest === first.cursor;
    if (known && isOurs && newest >= known.newest && now >= known.at && now - known.at < HOUR_MS) {
      const since = this.#hasOneWriter ? newest - known.newest : 0;
      this.#counted = { ...known, count: known.count + since, newest, oldest: first.cursor };
    } else {
      const filter = { op: 'le', field: 'number', value: newest } as const;
      this.#counted = {
        count: await this.#store.count(changeRecords, { filter }),
        newest,
        oldest: first.cursor,
        at: now,
      };
    }
    return Math.max(0, this.#counted.count - this.#limits.maxCount);
  }

  /** How many of the changes, from the first on, no active follower has to look at any more. */
  async #dispensable(tx: Tx, changes: readonly Change[]): Promise<number> {
    let count = changes.length;
    const { items } = await tx.query(places, { limit: MOST_FOLLOWERS });
    for (const { key: follower, value } of items) {
      const needed = changes.findIndex(
        (change) => (value.cursor === undefined || change.cursor > value.cursor) && this.#needs(follower, change),
      );
      if (needed !== -1) count = Math.min(count, needed);
    }
    return count;
  }

  /** Waits for the time when the oldest record that is left gets too old. One that a follower keeps is looked at again a day later. */
  #settle(item: WorkItem<object>, halt: AbortSignal): Promise<boolean> {
    const now = this.#now();
    return this.#store.transact((tx) =>
      tx.settle(item, async () => {
        const [oldest] = await tx.changesAfter(undefined, 1);
        if (!oldest) {
          tx.afterCommit(() => {
            this.#wokenAt = undefined;
          });
          return undefined;
        }
        const dueAt = this.#dueFor(oldest);
        if (dueAt > now) return dueAt;
        return halt.aborted ? item.dueAt : now + DAY_MS;
      }),
    );
  }
}
