import type { QueuedEntry } from './collections.ts';

/** The entries of a notification as it is queued. */
export const entriesIn = (body: string): readonly QueuedEntry[] =>
  (JSON.parse(body) as { value: readonly QueuedEntry[] }).value;
