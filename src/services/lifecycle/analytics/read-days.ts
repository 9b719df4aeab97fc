import { type Store, walk } from '../../../kernel/store/index.ts';
import { type DeviceDay, deviceDays, type EventValues, eventValues } from './collections.ts';
import { dayBefore } from './days.ts';
import type { Period } from './query.ts';

/** Activity of one device on one day in one version. */
export interface Seen {
  readonly day: string;
  readonly installId: string;
  readonly value: DeviceDay;
}

/** All activity of an app from one day to another, both included, in order of days. Reads one key range. */
export async function* readDeviceDays(
  store: Store,
  appId: string,
  first: string,
  last: string,
  versions?: ReadonlySet<string>,
): AsyncGenerator<Seen> {
  const prefix = `${appId}/`;
  // No key is only a day, so this key sorts before the first one of that day.
  const after = [`${prefix}${first}`];
  for await (const { key, value } of walk(store, deviceDays, { prefix, order: [{ field: 'key' }], after })) {
    const [, day, installId] = key.split('/', 3) as [string, string, string];
    if (day > last) return;
    if (!versions || versions.has(value.version)) yield { day, installId, value };
  }
}

/** Activity in a period and in the same number of days before it. */
export async function* readPeriodDays(
  store: Store,
  appId: string,
  { days, previous, versions }: Period,
): AsyncGenerator<Seen & { readonly isPrevious: boolean }> {
  const first = days[0];
  const last = days.at(-1);
  if (first === undefined || last === undefined) return;
  for await (const seen of readDeviceDays(store, appId, previous[0] ?? dayBefore(first), last, versions)) {
    yield { ...seen, isPrevious: seen.day < first };
  }
}

/** Values of an event's properties on a day. */
export async function* readEventValues(
  store: Store,
  appId: string,
  day: string,
  countedAs: string,
): AsyncGenerator<EventValues> {
  for await (const { value } of walk(store, eventValues, { prefix: `${appId}/${day}/${countedAs}/` })) yield value;
}

/** The number of sessions that started on this day. */
export function sessionsOf({ sessions, furtherSessions = 0 }: DeviceDay): number {
  let count = furtherSessions;
  for (const id in sessions) if (sessions[id]?.[0] !== null) count++;
  return count;
}
