import type { Json } from '../../kernel/store/index.ts';
import type { Trace } from './collections.ts';
import type { GridEvent } from './event.ts';
import type { EventsJar } from './jar.ts';

/** What became of every event that came in: the newest are kept, so that "why did it not arrive" has an answer. */

export const DEFAULT_TRACES = 10_000;
/** Larger events are not kept with their traces. */
const LARGEST_KEPT = 2048;

export function traceOf(jar: EventsJar, event: GridEvent, matched: Trace['matched'], refused: number): Trace {
  const { topic, id: eventId, type: eventType, subject } = event;
  return {
    at: jar.clock.now(),
    topic,
    eventId,
    eventType,
    subject,
    matched,
    refused,
    ...(refused > 0 && isSmall(event) && { event }),
  };
}

/** By a bound that costs nothing: what has many parts is taken for large without being written out. */
function isSmall({ data, original, subject }: GridEvent): boolean {
  return weigh([data ?? null, original ?? null, subject], LARGEST_KEPT) > 0;
}

/** What is left of a budget of characters after a value; not more than that much of it is looked at. */
function weigh(value: Json | undefined, budget: number): number {
  if (typeof value === 'string') return budget - value.length - 2;
  if (typeof value !== 'object' || value === null) return budget - 8;
  let left = budget - 2;
  if (Array.isArray(value)) {
    for (const each of value) {
      if (left <= 0) return left;
      left = weigh(each, left);
    }
    return left;
  }
  for (const [name, each] of Object.entries(value)) {
    if (left <= 0) return left;
    left = weigh(each, left - name.length);
  }
  return left;
}
