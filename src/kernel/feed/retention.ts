import type { Change, NewChange, Store, Tx, WorkItem } from '../store/types.ts';
import { changeRecords } from '../store/views.ts';
import { pause } from '../time/timers.ts';
import { DAY_MS, HOUR_MS } from '../time/units.ts';
import { type BoundWork, boundWork, defineWork } from '../work/kind.ts';
import { followerPositions, followings } from './positions.ts';

/** How long change records are kept, and how many; the oldest are removed beyond either limit. */
export interface ChangeLimits {
  readonly maxAgeMs: number;
  readonly maxCount: number;
}

/** Number of change records removed per transaction. */
const STEP = 500;
/** Number of changes on a node after which the records are counted. */
const COUNTED_EVERY = 1000;
/** On PostgreSQL, while a transaction that has woken the item is not committed yet. */
const LOOK_AGAIN_MS = 10;
const MOST_FOLLOWERS = 1000;

export const prune = defineWork<object>('feed.prune', {
  title: 'Deletes old change records',
  maxAttempts: Number.POSITIVE_INFINITY,
});

/** All records share one work item. */
const itemAt = (dueAt: number) => prune.at(dueAt, {}, prune.kind);

/** Whether a follower needs a change; a follower that is unknown to this release may need any. */
export type Needs = (follower: string, change: NewChange) => boolean;

/** Number of records when the newest one had this number. */
interface Counted {
  count: number;
  readonly newest: number;
  /** Cursor of the oldest record; undefined while it is not known. */
  oldest: string | undefined;
  readonly at: number;
}

/**
 * Removes change records that are too old or too many, except those that an active follower has yet to process. One work item does this, so
 * only one node does: it is due when the oldest record becomes too old, rounded up to the hour, and does not exist while there are no
 * records.
 */
export class ChangeRetention {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #limits: ChangeLimits;
  readonly #needs: Needs;
  /** Changes on this node since the last count. Includes rolled back transactions; it is only a hint. */
  #count = 0;
  /** When the item was last woken; undefined if the next change must wake it. */
  #wokenAt: number | undefined;
  /** Transactions that have woken it already, so that a transaction with many changes does so once. */
  readonly #wakers = new WeakSet<Tx>();
  #counted: Counted | undefined;

  constructor(store: Store, now: () => number, limits: ChangeLimits, needs: Needs) {
    this.#store = store;
    this.#now = now;
    this.#limits = limits;
    this.#needs = needs;
    // A reset or a restored snapshot has replaced all work; other writes to this collection are rare.
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

  /** Called in the transaction of every change; usually does nothing and is synchronous. */
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
   * With one writer, in the same transaction. With several writers, the transaction that creates the item blocks others until it commits,
   * and a user's transaction may take long: so the item is created in a separate transaction right after the commit. If the node stops in
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

  /** Removes some of the oldest records; returns the number. */
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
   * Number of records above the limit. Counting takes long on SQLite, whose record numbers normally have no gaps: so the last count is
   * updated by the numbers, unless another process has removed records, and repeated after an hour. With several writers numbers have gaps,
   * and the update would remove too many records: there every run does one count, and later records are left to the next run.
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

  /** Number of changes, from the first, that no active follower needs. */
  async #dispensable(tx: Tx, changes: readonly Change[]): Promise<number> {
    let count = changes.length;
    const { items } = await tx.query(followerPositions, { limit: MOST_FOLLOWERS });
    for (const { key: follower, value } of items) {
      const needed = changes.findIndex(
        (change) => (value.cursor === undefined || change.cursor > value.cursor) && this.#needs(follower, change),
      );
      if (needed !== -1) count = Math.min(count, needed);
    }
    return count;
  }

  /**
   * Schedules the item for when the oldest remaining record becomes too old. A record that a follower still needs is checked again a day
   * later.
   */
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
