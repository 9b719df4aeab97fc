import { collection, number, text } from './collection.ts';
import type { Change } from './types.ts';

/**
 * The kernel's own tables as read-only collections: `get`, `query` and `count` work on them as on any other collection, on both engines.
 * They are not declared to a store, and not part of a snapshot.
 */

export const WORK_STATES = ['waiting', 'leased', 'parked'] as const;
export type WorkState = (typeof WORK_STATES)[number];

/** Where the counts of `KindStats` stop. */
export const MOST_COUNTED = 5_000;

export interface StoredWork {
  readonly id: string;
  readonly kind: string;
  readonly dueAt: number;
  readonly state: WorkState;
  /** The number of attempts. */
  readonly attempts: number;
  /** Why the last attempt failed. */
  readonly reason: string | null;
  /** JSON text. */
  readonly payload: string;
}

/** Keyed by item id. */
export const workItems = collection<StoredWork>('kernel.work_items', {
  fields: {
    kind: text((item) => item.kind),
    dueAt: number((item) => item.dueAt),
    state: text((item) => item.state),
    attempts: number((item) => item.attempts),
    reason: text((item) => item.reason),
  },
});

export interface StoredChange extends Omit<Change, 'cursor' | 'data'> {
  /** The number in the cursor; defines the order of the records. */
  readonly number: number;
  /** JSON text. */
  readonly data: string;
}

/**
 * Keyed by the cursor. On PostgreSQL this view may show a record that `changesAfter` still withholds, because a record with a lower number
 * may yet be committed: read no further than `newestCursor` when paging.
 */
export const changeRecords = collection<StoredChange>('kernel.change_records', {
  fields: {
    number: number((change) => change.number),
    source: text((change) => change.source),
    kind: text((change) => change.kind),
    subject: text((change) => change.subject),
    outcome: text((change) => change.outcome),
    at: number((change) => change.at),
  },
});
