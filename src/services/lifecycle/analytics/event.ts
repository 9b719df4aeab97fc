import type { TSchema } from 'typebox';
import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { appOf } from '../access/access.ts';
import { routeCode } from '../jar.ts';
import { eventDefinitions } from './collections.ts';
import { Counts, DeviceSets, perDay, ratio, Tally } from './counts.ts';
import { PERIOD, type Period, readPeriod } from './query.ts';
import { readPeriodDays, sessionsOf } from './read-days.ts';
import { definitionKey } from './record-events.ts';

/** Statistics of one event per day. An unknown event has zero counts. */

const NOW = 'now';
const BEFORE = 'before';

/** Counts per day, and for each period as a whole. */
interface EventStory {
  readonly days: readonly string[];
  readonly events: Tally;
  readonly devices: DeviceSets;
  readonly sessions: Tally;
  /** Active devices, with or without the event. */
  readonly allDevices: ReadonlySet<string>;
}

async function tellEvent({ store }: Jar, appId: string, name: string, period: Period): Promise<EventStory> {
  const countedAs = (await store.get(eventDefinitions, definitionKey(appId, name)))?.value.countedAs;
  const events = new Tally();
  const devices = new DeviceSets();
  const sessions = new Tally();
  const allDevices = new Set<string>();
  for await (const { day, installId, value, isPrevious } of readPeriodDays(store, appId, period)) {
    const count = countedAs === undefined ? 0 : (value.events[countedAs] ?? 0);
    if (!isPrevious) allDevices.add(installId);
    for (const span of isPrevious ? [BEFORE] : [NOW, day]) {
      sessions.add(span, sessionsOf(value));
      if (count === 0) continue;
      events.add(span, count);
      devices.add(span, installId);
    }
  }
  return { days: period.days, events, devices, sessions, allDevices };
}

const aboutEvent = (response: TSchema, tell: (story: EventStory) => unknown) =>
  routeCode(['event_name'], {
    query: Type.Object(PERIOD),
    responses: { 200: response },
    async handle(call) {
      const { jar, query, params } = call;
      const period = readPeriod(query, jar.clock.now());
      return ok(tell(await tellEvent(jar, appOf(call).id, params.event_name, period)));
    },
  });

export const eventCount = aboutEvent(
  Type.Object({ total_count: Type.Integer(), previous_total_count: Type.Integer(), count: Counts }),
  ({ days, events }) => ({
    total_count: events.count(NOW),
    previous_total_count: events.count(BEFORE),
    count: perDay(days, (day) => events.count(day)),
  }),
);

export const eventDeviceCount = aboutEvent(
  Type.Object({
    total_devices: Type.Integer(),
    total_devices_with_event: Type.Integer(),
    previous_total_devices_with_event: Type.Integer(),
    devices_count: Counts,
  }),
  ({ days, devices, allDevices }) => ({
    total_devices: allDevices.size,
    total_devices_with_event: devices.count(NOW),
    previous_total_devices_with_event: devices.count(BEFORE),
    devices_count: perDay(days, (day) => devices.count(day)),
  }),
);

export const eventPerDeviceCount = aboutEvent(
  Type.Object({
    avg_count_per_device: Type.Number(),
    previous_avg_count_per_device: Type.Number(),
    count_per_device: Counts,
  }),
  ({ days, events, devices }) => {
    const average = (span: string): number => ratio(events.count(span), devices.count(span));
    return {
      avg_count_per_device: average(NOW),
      previous_avg_count_per_device: average(BEFORE),
      count_per_device: perDay(days, average),
    };
  },
);

export const eventPerSessionCount = aboutEvent(
  Type.Object({
    avg_count_per_session: Type.Number(),
    previous_avg_count_per_session: Type.Number(),
    count_per_session: Counts,
  }),
  ({ days, events, sessions }) => {
    const average = (span: string): number => ratio(events.count(span), sessions.count(span));
    return {
      avg_count_per_session: average(NOW),
      previous_avg_count_per_session: average(BEFORE),
      count_per_session: perDay(days, average),
    };
  },
);
