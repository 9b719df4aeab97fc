import type { Json } from '../../kernel/store/index.ts';
import type { Trace } from './collections.ts';
import type { GridEvent } from './event.ts';
import type { EventsJar } from './jar.ts';

/** Traces: the outcome of every published event. The newest are kept, to answer "why did it not arrive". */

export const DEFAULT_TRACES = 10_000;
/** A trace does not include a larger event. */
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

/** A cheap upper bound: an event with many parts counts as large without being serialised. */
function isSmall({ data, original, subject }: GridEvent): boolean {
  return weigh([data ?? null, original ?? null, subject], LARGEST_KEPT) > 0;
}

/** Rest of a budget of characters after a value; stops as soon as the budget is used up. */
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
