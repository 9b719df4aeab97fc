import type { Filter, Position, Reader, Stored } from '../store/types.ts';
import type { BoundPolicy } from './bound-policy.ts';
import type { DeliveryContext } from './context.ts';
import { concurrencyOf, windowOf } from './policy.ts';
import { type DeliveryRecord, deliveries, laneOfQueue, placeOf, queueOf } from './records.ts';

/** How many are at hand for each message that may be under way: enough to keep sending while more are read, little for a thousand pumps. */
const AT_HAND_FACTOR = 4;
const FEWEST_AT_HAND = 16;
const MOST_AT_HAND = 256;

/**
 * What is due for one destination, read in pages from the front on. What was read is not read again: one that is put off comes up behind, or
 * in the next run.
 */
export class Backlog {
  readonly #context: DeliveryContext;
  readonly #policy: BoundPolicy;
  readonly #lane: string;
  readonly #waiting: Stored<DeliveryRecord>[] = [];
  #position: Position | undefined;
  readonly #atHand: number;
  /** Nothing more was due when last looked at. */
  #exhausted = false;
  /** Grows with every sign that something may have come, so that a look which began before does not hide it. */
  #news = 0;

  constructor(context: DeliveryContext, policy: BoundPolicy, destination: string) {
    this.#context = context;
    this.#policy = policy;
    this.#lane = laneOfQueue(queueOf(policy.name, destination));
    this.#atHand = Math.min(Math.max(concurrencyOf(policy) * AT_HAND_FACTOR, FEWEST_AT_HAND), MOST_AT_HAND);
  }

  get waiting(): readonly Stored<DeliveryRecord>[] {
    return this.#waiting;
  }

  get exhausted(): boolean {
    return this.#exhausted && this.#waiting.length === 0;
  }

  /** Something may have come. */
  lookAgain(): void {
    this.#news += 1;
    this.#exhausted = false;
  }

  /** Has come, in order of commits: taken as it is where all before it was read, so that it need not be read again. */
  offer(stored: Stored<DeliveryRecord>): void {
    const { dueAt, ordered } = stored.value;
    const [place = Number.NEGATIVE_INFINITY, key = ''] = this.#position ?? [];
    const follows = dueAt > Number(place) || (dueAt === place && stored.key > String(key));
    const due = dueAt <= this.#context.clock.now();
    if (this.#exhausted && follows && due && !ordered && this.#waiting.length < this.#atHand) {
      this.#waiting.push(stored);
      this.#position = [dueAt, stored.key];
    } else this.lookAgain();
  }

  /** Forgets what was read: it has to be looked at again from the front on. */
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

  /** Reads on, so that there are at least `wanted`, if there are; and with `sparing` no more than that. */
  async fill(wanted: number, sparing = false): Promise<void> {
    while (!this.#exhausted && this.#waiting.length < wanted) {
      const { clock, store } = this.#context;
      const now = clock.now();
      const news = this.#news;
      const limit = Math.max(sparing ? 1 : this.#atHand, wanted - this.#waiting.length);
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

  /** How many of them need not be read again. */
  #add(items: readonly Stored<DeliveryRecord>[], now: number): number {
    for (const [index, item] of items.entries()) {
      const { dueAt, tries } = item.value;
      const joins = this.#waiting.length > 0 && tries === 0;
      if (dueAt <= now || (joins && !this.#policy.ordered)) this.#waiting.push(item);
      else if (this.#policy.ordered) {
        // Those behind it must not overtake, neither now nor when something makes us look again.
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

  /** When the first one is due, of all that are queued. */
  async nextDue(on: Pick<Reader, 'query'>): Promise<number | undefined> {
    const { items } = await on.query(deliveries, {
      filter: { op: 'eq', field: 'line', value: this.#lane },
      order: [{ field: 'place' }],
      limit: 1,
    });
    return items[0]?.value.dueAt;
  }
}
