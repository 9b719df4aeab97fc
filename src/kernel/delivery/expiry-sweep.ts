import type { Filter, Page, Position, Stored } from '../store/types.ts';
import type { BoundPolicy } from './bound-policy.ts';
import type { DeliveryContext } from './context.ts';
import { type DeliveryRecord, deliveries, laneOfQueue, queueOf } from './records.ts';

/**
 * Ends deliveries past their time to live while their destination is on probation. Normally the time to live is checked when an attempt is
 * due, but during a probation there are no attempts, so deliveries would outlive it by hours.
 */

const PAGE = 500;
/** Minimum interval between two passes; deliveries that expire within it end together. */
const LEAST_GAP_MS = 10_000;

/** When a delivery expires; infinite without a time to live. */
export const expiryOf = ({ dueAt, expiresAt }: Pick<DeliveryRecord, 'dueAt' | 'expiresAt'>): number =>
  expiresAt === undefined ? Number.POSITIVE_INFINITY : Math.max(dueAt, expiresAt);

/** Finds expired deliveries during a probation. */
export class ExpirySweep {
  readonly #context: DeliveryContext;
  readonly #lane: string;
  #next = Number.POSITIVE_INFINITY;

  constructor(context: DeliveryContext, policy: BoundPolicy, destination: string) {
    this.#context = context;
    this.#lane = laneOfQueue(queueOf(policy.name, destination));
  }

  /** Yields pages of deliveries that have expired by `now`, and notes when the next one expires. */
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
      const ended = items.filter(({ value }) => !value.orphaned && expiryOf(value) <= now);
      for (const { value } of items) if (expiryOf(value) > now) this.note(value);
      if (ended.length > 0) yield ended;
      if (!next) return;
      after = next;
    }
  }

  /** Takes a newly queued delivery into account. */
  note(record: DeliveryRecord): void {
    this.#next = Math.min(this.#next, expiryOf(record));
  }

  /** When to check again; at the latest when the probation ends. */
  nextLook(now: number, until: number): number {
    return Math.min(until, Math.max(this.#next, now + LEAST_GAP_MS));
  }
}
