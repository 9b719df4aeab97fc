// The part of the store's contract that is about due work.
import type { Json } from '../values/json.ts';
import type { DueRequest, DueWork } from './due-work.ts';

export interface NewWork {
  /** Selects the handler. */
  readonly kind: string;
  /** Milliseconds of the jar's clock. */
  readonly dueAt: number;
  readonly payload: Json;
  /**
   * If given, at most one item with this id exists, and scheduling it again moves it (and ends its lease). Otherwise an id is generated.
   */
  readonly id?: string;
}

export interface WorkItem<Payload = Json> {
  readonly id: string;
  readonly kind: string;
  readonly dueAt: number;
  readonly payload: Payload;
  /** The number of earlier attempts. */
  readonly attempts: number;
  /** The fencing token; changes with every claim. */
  readonly lease: string;
}

export interface WorkStats {
  readonly waiting: number;
  readonly leased: number;
  readonly parked: number;
  /** The earliest due time of the items that are not parked. */
  readonly oldestDueAt: number | undefined;
}

/** The items of one kind. Each count stops at `MOST_COUNTED`, so that a long queue costs no more than a short one. */
export interface KindStats {
  readonly kind: string;
  /** Waiting items that are due. */
  readonly due: number;
  /** Waiting items that are due later. */
  readonly later: number;
  readonly leased: number;
  readonly parked: number;
  /** The earliest due time of the items that are not parked. */
  readonly oldestDueAt: number | undefined;
}

export interface ClaimRequest {
  readonly kinds: readonly string[];
  /** The maximum number of items of each kind, in the order of `kinds`; `limit` for each kind if absent. */
  readonly rooms?: readonly number[];
  readonly now: number;
  readonly limit: number;
  readonly leaseMs: number;
}

/** Leases use real time, whatever the jar's clock does. SQLite has one process, so opening it frees the leases of the previous process. */
export interface WorkQueue {
  /** Claims up to `limit` items of these kinds that are due at `now`, ordered by due time and then by scheduling order. */
  claim(request: ClaimRequest): Promise<WorkItem[]>;
  /** Extends the leases of claimed items by `leaseMs`; returns the ids that are still leased. */
  renew(items: readonly WorkItem[], leaseMs: number): Promise<string[]>;
  /** The earliest due time of items (of these kinds, if given) without a valid lease. */
  nextDue(kinds?: readonly string[]): Promise<number | undefined>;
  /** The number of items (of these kinds, if given) that are due at `now` or leased, on any node. Parked items are excluded. */
  pending(now: number, kinds?: readonly string[]): Promise<number>;
  /** What is due until a time: all counted by kind, the first ones listed. */
  due(request: DueRequest): Promise<DueWork>;
  stats(): Promise<WorkStats>;
  /** The items of each kind that has any, in the order of the kinds' names. */
  byKind(now: number): Promise<KindStats[]>;
  /** All kinds that have items which are not parked. */
  kinds(): Promise<string[]>;
}
