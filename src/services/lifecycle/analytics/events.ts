import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { appOf } from '../access/access.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { type EventDefinition, eventDefinitions } from './collections.ts';
import { DeviceSets, ratio, Tally } from './counts.ts';
import { LISTING, PERIOD, type Period, readNames, readPeriod, readTop } from './query.ts';
import { readPeriodDays, sessionsOf } from './read-days.ts';

const ALL_EVENTS = 100_000;

const Row = Type.Object({
  id: Type.String(),
  name: Type.String(),
  device_count: Type.Integer(),
  previous_device_count: Type.Integer(),
  count: Type.Integer(),
  previous_count: Type.Integer(),
  count_per_device: Type.Number(),
  count_per_session: Type.Number(),
});
type Row = ReturnType<typeof rowOf>;

const Events = Type.Object({
  events: Type.Array(Row),
  total: Type.Optional(Type.Integer()),
  total_devices: Type.Integer(),
});

/** The events of a period, by default most frequent first. */
export const events = routeCode([], {
  query: Type.Object({
    ...PERIOD,
    ...LISTING,
    $skip: Type.Optional(Type.Integer({ minimum: 0 })),
    $orderby: Type.Optional(Type.String()),
    $inlinecount: Type.Optional(Type.Enum(['allpages', 'none'])),
    event_name: Type.Optional(Type.String({ description: 'Names, separated by |' })),
  }),
  responses: { 200: Events },
  async handle(call) {
    const { jar, query } = call;
    const order = readOrder(query.$orderby);
    const names = readNames(query.event_name);
    const count = await countEvents(jar, appOf(call).id, readPeriod(query, jar.clock.now()));
    const all = (await definitionsOf(jar, appOf(call).id))
      .filter(({ name }) => !names || names.has(name))
      .map((definition) => rowOf(definition, count))
      .filter((row) => row.count > 0)
      .sort(order);
    const skip = query.$skip ?? 0;
    return ok({
      events: all.slice(skip, skip + readTop(query.$top)),
      ...(query.$inlinecount === 'allpages' && { total: all.length }),
      total_devices: count.devices.size,
    });
  },
});

interface EventCounts {
  readonly now: Tally;
  readonly before: Tally;
  readonly devicesNow: DeviceSets;
  readonly devicesBefore: DeviceSets;
  /** Active devices, with or without events. */
  readonly devices: Set<string>;
  sessions: number;
}

async function countEvents({ store }: Jar, appId: string, period: Period): Promise<EventCounts> {
  const counts: EventCounts = {
    now: new Tally(),
    before: new Tally(),
    devicesNow: new DeviceSets(),
    devicesBefore: new DeviceSets(),
    devices: new Set(),
    sessions: 0,
  };
  for await (const { installId, value, isPrevious } of readPeriodDays(store, appId, period)) {
    for (const countedAs in value.events) {
      (isPrevious ? counts.before : counts.now).add(countedAs, value.events[countedAs]);
      (isPrevious ? counts.devicesBefore : counts.devicesNow).add(countedAs, installId);
    }
    if (isPrevious) continue;
    counts.devices.add(installId);
    counts.sessions += sessionsOf(value);
  }
  return counts;
}

function rowOf({ id, name, countedAs }: EventDefinition, counts: EventCounts) {
  const count = counts.now.count(countedAs);
  const devices = counts.devicesNow.count(countedAs);
  return {
    id,
    name,
    device_count: devices,
    previous_device_count: counts.devicesBefore.count(countedAs),
    count,
    previous_count: counts.before.count(countedAs),
    count_per_device: ratio(count, devices),
    count_per_session: ratio(count, counts.sessions),
  };
}

async function definitionsOf({ store }: Jar, appId: string): Promise<EventDefinition[]> {
  const { items } = await store.query(eventDefinitions, { prefix: `${appId}/`, limit: ALL_EVENTS });
  return items.map(({ value }) => value);
}

const ORDERS: ReadonlySet<string> = new Set<keyof Row>([
  'name',
  'count',
  'device_count',
  'count_per_device',
  'count_per_session',
]);

function readOrder(text = 'count desc'): (a: Row, b: Row) => number {
  const [field = '', direction = 'asc', ...rest] = text.trim().split(/\s+/);
  if (!ORDERS.has(field) || !/^(asc|desc)$/i.test(direction) || rest.length > 0) {
    const reason = `The parameter '$orderby' must be one of ${[...ORDERS].join(', ')}, followed by asc or desc.`;
    throw errors.BadRequest({ reason }, { target: '$orderby' });
  }
  const sign = direction.toLowerCase() === 'desc' ? -1 : 1;
  const by = field as keyof Row;
  // Ties are ordered by name, so that pages are consistent.
  return (a, b) => (a[by] < b[by] ? -sign : a[by] > b[by] ? sign : a.name < b.name ? -1 : 1);
}
