import type { QueuedEntry } from './collections.ts';

/** The entries of a queued notification. */
export const entriesIn = (body: string): readonly QueuedEntry[] =>
  (JSON.parse(body) as { value: readonly QueuedEntry[] }).value;
