import type { Filter, Page, Position, Stored } from '../store/types.ts';
import type { BoundPolicy } from './bound-policy.ts';
import type { DeliveryContext } from './context.ts';
import { type DeliveryRecord, deliveries, laneOfQueue, queueOf } from './records.ts';

/**
 * Deliveries to a destination on probation that are past their time to live. A time to live ends a delivery when its next attempt is
 * due, and on probation there are no attempts: without this, deliveries would outlive it by hours.
 */

const PAGE = 500;
/** Between two looks: those that end within this time end together. */
const LEAST_GAP_MS = 10_000;

/** When a delivery ends for good, unless it arrives before; never for one without a time to live. */
export const endsAt = ({ dueAt, expiresAt }: Pick<DeliveryRecord, 'dueAt' | 'expiresAt'>): number =>
  expiresAt === undefined ? Number.POSITIVE_INFINITY : Math.max(dueAt, expiresAt);

/** Walks through what is due while the probation lasts. */
export class Overdue {
  readonly #context: DeliveryContext;
  readonly #lane: string;
  #next = Number.POSITIVE_INFINITY;

  constructor(context: DeliveryContext, policy: BoundPolicy, destination: string) {
    this.#context = context;
    this.#lane = laneOfQueue(queueOf(policy.name, destination));
  }

  /** Those that have ended by `now`, in pages; and finds out when the next one does. */
  async *pages(now: number, until: number): AsyncGenerator<readonly Stored<DeliveryRecord>[]> {
    this.#next = Number.POSITIVE_INFINITY;
    const filter: Filter = {
      op: 'and',
      args: [
        { op: 'eq', field: 'line', value: this.#lane },
        { op: 'le', field: 'place', value: until },
      ],
    };
    for (let after: Position | undefined; ; ) {
      const { items, next }: Page<DeliveryRecord> = await this.#context.store.query(deliveries, {
        filter,
        order: [{ field: 'place' }],
        after,
        limit: PAGE,
      });
      const ended = items.filter(({ value }) => !value.orphaned && endsAt(value) <= now);
      for (const { value } of items) if (endsAt(value) > now) this.note(value);
      if (ended.length > 0) yield ended;
      if (!next) return;
      after = next;
    }
  }

  /** One that has come since. */
  note(record: DeliveryRecord): void {
    this.#next = Math.min(this.#next, endsAt(record));
  }

  /** When to look again, at the latest when the probation ends. */
  nextLook(now: number, until: number): number {
    return Math.min(until, Math.max(this.#next, now + LEAST_GAP_MS));
  }
}
