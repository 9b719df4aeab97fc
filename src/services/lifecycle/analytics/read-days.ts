import type { Page, Position, Store } from '../../../kernel/store/types.ts';
import { type DeviceDay, deviceDays, type EventValues, eventValues } from './collections.ts';
import { dayBefore } from './days.ts';
import type { Period } from './query.ts';

const PAGE = 2000;

/** What one device did on one day, in one version. */
export interface Seen {
  readonly day: string;
  readonly installId: string;
  readonly value: DeviceDay;
}

/** Everything of an app from one day to another, both included, in the order of days. One range of keys, however long. */
export async function* readDeviceDays(
  store: Store,
  appId: string,
  first: string,
  last: string,
  versions?: ReadonlySet<string>,
): AsyncGenerator<Seen> {
  const prefix = `${appId}/`;
  // No key is just a day; so this is before the first of it.
  let after: Position | undefined = [`${prefix}${first}`];
  while (after) {
    const page: Page<DeviceDay> = await store.query(deviceDays, {
      prefix,
      order: [{ field: 'key' }],
      after,
      limit: PAGE,
    });
    for (const { key, value } of page.items) {
      const [, day, installId] = key.split('/', 3) as [string, string, string];
      if (day > last) return;
      if (!versions || versions.has(value.version)) yield { day, installId, value };
    }
    after = page.next;
  }
}

/** Of a period, and of as many days before it. */
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

/** The values that the properties of an event had on a day. */
export async function* readEventValues(
  store: Store,
  appId: string,
  day: string,
  countedAs: string,
): AsyncGenerator<EventValues> {
  const prefix = `${appId}/${day}/${countedAs}/`;
  for (let after: Position | undefined, more = true; more; ) {
    const page: Page<EventValues> = await store.query(eventValues, { prefix, limit: PAGE, ...(after && { after }) });
    for (const { value } of page.items) yield value;
    after = page.next;
    more = after !== undefined;
  }
}

/** The sessions that began on the day. */
export function sessionsOf({ sessions, furtherSessions = 0 }: DeviceDay): number {
  let count = furtherSessions;
  for (const id in sessions) if (sessions[id]?.[0] !== null) count++;
  return count;
}
