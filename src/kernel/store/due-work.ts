import type { WorkItem } from './work-types.ts';

export interface DueRequest {
  readonly kinds: readonly string[];
  /** Milliseconds of the jar's clock. */
  readonly until: number;
  /** The maximum number of items; the counts include all. */
  readonly limit: number;
}

/** Work that is due until a time: waiting or leased. Parked items are excluded. */
export interface DueWork {
  /** By kind, ordered by its first due time. */
  readonly counts: readonly DueCount[];
  /** Ordered by due time and then by scheduling order. */
  readonly items: readonly Omit<WorkItem, 'attempts' | 'lease'>[];
}

export interface DueCount {
  readonly kind: string;
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
}
