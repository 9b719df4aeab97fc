import type { EventName, EventRecord } from './status.ts';

/** Limit of different events; the oldest are dropped beyond it. */
const MOST_RECORDS = 50;

const WARNINGS: ReadonlySet<EventName> = new Set(['Failed', 'BackOff', 'Unhealthy', 'FailedMount']);

/** Event texts of the real service. An image is named with its digest if that is known. */
export const EVENT_TEXT = {
  pulling: (image: string) => `pulling image "${image}"`,
  pulled: (image: string) => `Successfully pulled image "${image}"`,
  pullFailed: (image: string, reason: string) => `Failed to pull image "${image}": ${reason}`,
  created: 'Created container',
  started: 'Started container',
  ended: (container: string, exitCode: number) => `Container ${container} terminated with ExitCode ${exitCode}.`,
  backOff: 'Back-off restarting failed container',
} as const;

/** Adds an event, or increments the count of an equal one. */
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
