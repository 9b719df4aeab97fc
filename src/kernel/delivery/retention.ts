import type { Filter } from '../store/types.ts';
import { HOUR_MS } from '../time/units.ts';
import type { DeliveryContext } from './context.ts';
import type { DeliveryQueue } from './queue.ts';
import { type DeliveryState, deliveries, laneOfEnded } from './records.ts';

/** How long ended deliveries are kept, and how many. */
export const KEPT_MS = 7 * 24 * HOUR_MS;
export const MOST_KEPT = 50_000;
/** Pruned after this many ends, or at the first end after this time. */
const EVERY_ENDS = 1000;
const EVERY_MS = HOUR_MS;
const PAGE = 200;

/** Filters by both fields of the index, so that its order is that of the keys. */
const inLane = (state: DeliveryState): Filter => ({
  op: 'and',
  args: [
    { op: 'eq', field: 'line', value: laneOfEnded(state) },
    { op: 'eq', field: 'place', value: 0 },
  ],
});

/** In the order in which they are removed if there are too many: least useful first. */
const ENDED: readonly DeliveryState[] = ['delivered', 'cancelled', 'dropped', 'dead-lettered'];

export interface RetentionLimits {
  readonly keptMs: number;
  readonly mostKept: number;
  readonly everyEnds: number;
}

/** Removes ended deliveries that are too old or too many. Runs when deliveries end, so an idle jar keeps everything. */
export class Retention {
  readonly #context: DeliveryContext;
  readonly #queue: DeliveryQueue;
  readonly #limits: RetentionLimits;
  #ends = 0;
  #lastAt: number | undefined;
  #running = false;

  constructor(context: DeliveryContext, queue: DeliveryQueue, limits: Partial<RetentionLimits> = {}) {
    this.#context = context;
    this.#queue = queue;
    this.#limits = { keptMs: KEPT_MS, mostKept: MOST_KEPT, everyEnds: EVERY_ENDS, ...limits };
  }

  ended(): void {
    this.#ends += 1;
  }

  /** Prunes if it is due. */
  async tidy(): Promise<void> {
    const now = this.#context.clock.now();
    this.#lastAt ??= now;
    const due = this.#ends >= this.#limits.everyEnds || now - this.#lastAt >= EVERY_MS || now < this.#lastAt;
    if (!due || this.#running) return;
    this.#ends = 0;
    this.#lastAt = now;
    this.#running = true;
    try {
      await this.#prune(now);
    } finally {
      this.#running = false;
    }
  }

  async #prune(now: number): Promise<void> {
    for (const state of ENDED) while (await this.#removeOldest(state, PAGE, now - this.#limits.keptMs)) {}
    const counts = await Promise.all(ENDED.map((state) => this.#countOf(state)));
    let excess = counts.reduce((sum, count) => sum + count, 0) - this.#limits.mostKept;
    for (const [i, state] of ENDED.entries()) {
      for (let left = counts[i] ?? 0; excess > 0 && left > 0; ) {
        const wanted = Math.min(excess, left, PAGE);
        await this.#removeOldest(state, wanted, Number.POSITIVE_INFINITY);
        excess -= wanted;
        left -= wanted;
      }
    }
  }

  #countOf(state: DeliveryState): Promise<number> {
    return this.#context.store.count(deliveries, { filter: inLane(state) });
  }

  /** Looks at the oldest deliveries and removes those that ended by then; returns whether that was all of them. */
  async #removeOldest(state: DeliveryState, limit: number, endedBy: number): Promise<boolean> {
    const { items } = await this.#context.store.query(deliveries, {
      filter: inLane(state),
      order: [{ field: 'key' }],
      limit,
    });
    const old = items.filter(({ value }) => (value.endedAt ?? 0) <= endedBy);
    if (old.length > 0) {
      await this.#context.store.transact(async (tx) => {
        for (const item of old) await this.#queue.remove(tx, item);
      });
    }
    return old.length === limit;
  }
}
