import type { Filter, Position, Reader, Stored } from '../store/types.ts';
import type { BoundPolicy } from './bound-policy.ts';
import type { DeliveryContext } from './context.ts';
import { concurrencyOf, windowOf } from './policy.ts';
import { type DeliveryRecord, deliveries, laneOfQueue, placeOf, queueOf } from './records.ts';

/**
 * Number of prefetched deliveries per concurrent message: enough to keep sending while the next page is read, but little memory for a
 * thousand pumps.
 */
const PREFETCH_FACTOR = 4;
const MIN_PREFETCH = 16;
const MAX_PREFETCH = 256;

/**
 * The due deliveries of one destination, read in pages from the front. Each is read once: a delivery that is rescheduled appears again
 * further back, or in the next turn.
 */
export class Backlog {
  readonly #context: DeliveryContext;
  readonly #policy: BoundPolicy;
  readonly #lane: string;
  readonly #waiting: Stored<DeliveryRecord>[] = [];
  #position: Position | undefined;
  readonly #prefetch: number;
  /** The last query found nothing more that is due. */
  #exhausted = false;
  /** Counts hints that there may be new deliveries, so that a query that began before a hint does not hide them. */
  #news = 0;

  constructor(context: DeliveryContext, policy: BoundPolicy, destination: string) {
    this.#context = context;
    this.#policy = policy;
    this.#lane = laneOfQueue(queueOf(policy.name, destination));
    this.#prefetch = Math.min(Math.max(concurrencyOf(policy) * PREFETCH_FACTOR, MIN_PREFETCH), MAX_PREFETCH);
  }

  get waiting(): readonly Stored<DeliveryRecord>[] {
    return this.#waiting;
  }

  get exhausted(): boolean {
    return this.#exhausted && this.#waiting.length === 0;
  }

  /** Something new may be due. */
  lookAgain(): void {
    this.#news += 1;
    this.#exhausted = false;
  }

  /** Adds a new delivery in commit order. It is added directly if everything before it was read already, which saves reading it again. */
  offer(stored: Stored<DeliveryRecord>): void {
    const { dueAt, ordered } = stored.value;
    const [place = Number.NEGATIVE_INFINITY, key = ''] = this.#position ?? [];
    const follows = dueAt > Number(place) || (dueAt === place && stored.key > String(key));
    const due = dueAt <= this.#context.clock.now();
    if (this.#exhausted && follows && due && !ordered && this.#waiting.length < this.#prefetch) {
      this.#waiting.push(stored);
      this.#position = [dueAt, stored.key];
    } else this.lookAgain();
  }

  /** Drops everything that was read, so that the next read starts at the front. */
  restart(): void {
    this.#waiting.length = 0;
    this.#position = undefined;
    this.#exhausted = false;
  }

  forget(id: string): void {
    const place = this.#waiting.findIndex((each) => each.key === id);
    if (place >= 0) this.#waiting.splice(place, 1);
  }

  take(count: number): Stored<DeliveryRecord>[] {
    return this.#waiting.splice(0, count);
  }

  /** Reads until at least `wanted` deliveries are available, or no more are due. With `sparing`, reads no more than that. */
  async fill(wanted: number, sparing = false): Promise<void> {
    while (!this.#exhausted && this.#waiting.length < wanted) {
      const { clock, store } = this.#context;
      const now = clock.now();
      const news = this.#news;
      const limit = Math.max(sparing ? 1 : this.#prefetch, wanted - this.#waiting.length);
      const { items } = await store.query(deliveries, {
        filter: this.#dueBy(now + windowOf(this.#policy)),
        order: [{ field: 'place' }],
        after: this.#position,
        limit,
      });
      this.#exhausted = items.length < limit && news === this.#news;
      const last = items[this.#add(items, now) - 1];
      if (last) this.#position = [placeOf(last.value), last.key];
    }
  }

  /** Returns how many of the items need not be read again. */
  #add(items: readonly Stored<DeliveryRecord>[], now: number): number {
    for (const [index, item] of items.entries()) {
      const { dueAt, tries } = item.value;
      const joins = this.#waiting.length > 0 && tries === 0;
      if (dueAt <= now || (joins && !this.#policy.ordered)) this.#waiting.push(item);
      else if (this.#policy.ordered) {
        // Later items must not overtake this one, neither now nor after a hint.
        this.#exhausted = true;
        return index;
      }
    }
    return items.length;
  }

  #dueBy(time: number): Filter {
    const ofLane: Filter = { op: 'eq', field: 'line', value: this.#lane };
    if (this.#policy.ordered) return ofLane;
    return { op: 'and', args: [ofLane, { op: 'le', field: 'place', value: time }] };
  }

  /** Due time of the first queued delivery. */
  async nextDue(on: Pick<Reader, 'query'>): Promise<number | undefined> {
    const { items } = await on.query(deliveries, {
      filter: { op: 'eq', field: 'line', value: this.#lane },
      order: [{ field: 'place' }],
      limit: 1,
    });
    return items[0]?.value.dueAt;
  }
}
