import { collection, number, text } from './collection.ts';
import type { Change } from './types.ts';

/**
 * The kernel's own tables, as collections that can be read and not written: `get`, `query` and `count` work on them as on any other, on both
 * engines. They are not declared to a store, and no part of a snapshot.
 */

export const WORK_STATES = ['waiting', 'leased', 'parked'] as const;
export type WorkState = (typeof WORK_STATES)[number];

/** An item of due work as it is stored. */
export interface StoredWork {
  readonly id: string;
  readonly kind: string;
  readonly dueAt: number;
  readonly state: WorkState;
  /** How often it was tried. */
  readonly attempts: number;
  /** Why the last attempt failed. */
  readonly reason: string | null;
  /** JSON text. */
  readonly payload: string;
}

/** Keyed by the id of the item. */
export const workItems = collection<StoredWork>('kernel.work_items', {
  fields: {
    kind: text((item) => item.kind),
    dueAt: number((item) => item.dueAt),
    state: text((item) => item.state),
    attempts: number((item) => item.attempts),
    reason: text((item) => item.reason),
  },
});

/** A change record as it is stored. */
export interface StoredChange extends Omit<Change, 'cursor' | 'data'> {
  /** Of the cursor; the order of the records. */
  readonly number: number;
  /** JSON text. */
  readonly data: string;
}

/**
 * Keyed by the cursor. On PostgreSQL a record may be seen here that `changesAfter` still holds back, since one with a lower number may yet be
 * committed: whoever pages through them goes no further than `newestCursor`.
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
