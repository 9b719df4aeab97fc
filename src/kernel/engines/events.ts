import type { EventName, EventRecord } from './status.ts';

/** The oldest are dropped beyond this many different ones. */
const MOST_RECORDS = 50;

const WARNINGS: ReadonlySet<EventName> = new Set(['Failed', 'BackOff', 'Unhealthy', 'FailedMount']);

/** Adds an event to a list, or counts it where there is one like it. */
export function note(
  events: readonly EventRecord[],
  name: EventName,
  message: string,
  at: number,
  times = 1,
): EventRecord[] {
  const index = events.findIndex((it) => it.name === name && it.message === message);
  const known = events[index];
  if (known) return events.with(index, { ...known, count: known.count + times, lastAt: at });
  const type = WARNINGS.has(name) ? 'Warning' : 'Normal';
  const added: EventRecord = { name, type, message, count: times, firstAt: at, lastAt: at };
  return [...events, added].slice(-MOST_RECORDS);
}
