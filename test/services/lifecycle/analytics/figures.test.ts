import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Bench, onBothStores } from '../../../support/jars.ts';
import { device, event, post, type SentLog, startSession } from '../sdk.ts';
import { administrator, makeApp } from '../support.ts';

/** Compares the statistics with a simple count: one pass over a list of all logs per query. */

const NOW = '2026-03-10T12:00:00.000Z';
const DAY_MS = 86_400_000;
const RUNS = process.env.CLOUDJAR_SOAK === '1' ? { sqlite: 10, postgres: 3 } : { sqlite: 5, postgres: 2 };

const VERSIONS = ['1.0', '2.0 β/%2F'];
const EVENTS = ['Bought', 'a/b.c?d', '__proto__', 'Käufe 100%', '%2F'];
const PROPERTIES = ['what', 'constructor', 'x/y'];
const VALUES = ['pen', '__proto__', '7'];
const DEVICES = [0, 1, 2, 3].map((number) => `${number}0000000-0000-4000-8000-000000000000`);

interface Told {
  readonly kind: 'session' | 'event' | 'other';
  readonly device: string;
  readonly at: number;
  readonly version: string;
  readonly sid: string;
  readonly id: string;
  readonly name: string;
  readonly property: string;
  readonly value: string;
}

/** Midnight, the millisecond before it, and noon of a day; not later than now. */
const moments = fc
  .tuple(fc.nat(40), fc.constantFrom(0, DAY_MS - 1, DAY_MS / 2, 1))
  .map(([day, time]) => Math.min(Date.parse('2026-03-10') - day * DAY_MS + time, Date.parse(NOW)));

const told: fc.Arbitrary<Told> = fc.record({
  kind: fc.constantFrom('session', 'event', 'event', 'other'),
  device: fc.constantFrom(...DEVICES),
  at: moments,
  version: fc.constantFrom(...VERSIONS),
  sid: fc.constantFrom('s1', 's2', 's3', '__proto__'),
  id: fc.nat(200).map(String),
  name: fc.constantFrom(...EVENTS),
  property: fc.constantFrom(...PROPERTIES),
  value: fc.constantFrom(...VALUES),
});

interface Question {
  readonly start: number;
  readonly end: number;
  readonly version?: string;
}

const questions: fc.Arbitrary<Question> = fc
  .tuple(moments, moments, fc.option(fc.constantFrom(...VERSIONS), { nil: undefined }))
  .map(([one, other, version]) => ({
    start: Math.min(one, other),
    end: Math.max(one, other),
    ...(version && { version }),
  }));

function asLog({ kind, at, version, sid, id, name, property, value }: Told): SentLog {
  const given = { timestamp: new Date(at).toISOString(), sid, id, device: device({ appVersion: version }) };
  if (kind === 'session') return startSession(given);
  return kind === 'event' ? event(name, { [property]: value }, given) : { type: 'page', name: 'Home', ...given };
}

/** The logs not received before: ids are scoped by device and kind, sessions have their own ids. */
function newOf(logs: readonly Told[]): Told[] {
  const seen = new Set<string>();
  return logs.filter(({ kind, device: phone, sid, id }) => {
    const key = JSON.stringify([kind, phone, kind === 'session' ? sid : id]);
    return !seen.has(key) && seen.add(key);
  });
}

const dayOf = (time: number): number => Math.floor(time / DAY_MS);
const isoDay = (day: number): string => new Date(day * DAY_MS).toISOString();
const countOf = (things: Iterable<unknown>): number => new Set(things).size;
const devicesIn = (logs: readonly Told[]): number => countOf(logs.map(({ device: phone }) => phone));

function byHand(all: readonly Told[], { start, end, version }: Question) {
  const first = dayOf(start);
  const last = dayOf(end > start ? end - 1 : end);
  const length = last - first + 1;
  const days = Array.from({ length }, (_, index) => first + index);
  const logs = all.filter((each) => version === undefined || each.version === version);
  const within = (from: number, to: number) => logs.filter(({ at }) => dayOf(at) >= from && dayOf(at) <= to);
  const [now, before] = [within(first, last), within(first - length, first - 1)];
  const sessions = (of: readonly Told[]) => of.filter(({ kind }) => kind === 'session').length;
  const named = (of: readonly Told[], name: string) => of.filter((each) => each.kind === 'event' && each.name === name);
  const perDay = (of: (day: number) => number) => days.map((day) => ({ datetime: isoDay(day), count: of(day) }));
  return {
    versions: {
      total: devicesIn(now),
      versions: VERSIONS.map((name) => ({
        version: name,
        count: devicesIn(now.filter((each) => each.version === name)),
        previous_count: devicesIn(before.filter((each) => each.version === name)),
      }))
        .filter(({ count }) => count > 0)
        .sort((a, b) => b.count - a.count || (a.version < b.version ? -1 : 1)),
    },
    devices: {
      daily: perDay((day) => devicesIn(within(day, day))),
      weekly: perDay((day) => devicesIn(within(day - 6, day))),
      monthly: perDay((day) => devicesIn(within(day - 29, day))),
    },
    sessions: perDay((day) => sessions(within(day, day))),
    weeks: days
      .filter((_, index) => index % 7 === 0)
      .map((day) => {
        const week = within(day, Math.min(day + 6, last));
        return { datetime: isoDay(day), count: devicesIn(week) && sessions(week) / devicesIn(week) };
      }),
    totals: [sessions(now), sessions(before)],
    events: Object.fromEntries(
      EVENTS.map((name) => ({ name, there: named(now, name), earlier: named(before, name) }))
        .filter(({ there }) => there.length > 0)
        .map(({ name, there, earlier }) => [
          name,
          {
            count: there.length,
            previous_count: earlier.length,
            device_count: devicesIn(there),
            previous_device_count: devicesIn(earlier),
            count_per_device: there.length / devicesIn(there),
            count_per_session: sessions(now) && there.length / sessions(now),
          },
        ]),
    ),
    eventDays: EVENTS.map((name) => perDay((day) => named(within(day, day), name).length)),
    values: EVENTS.map((name) =>
      PROPERTIES.map((property) => {
        const having = (of: readonly Told[], value: string) =>
          named(of, name).filter((each) => each.property === property && each.value === value).length;
        return VALUES.map((value) => ({
          name: value,
          count: having(now, value),
          previous_count: having(before, value),
        }))
          .filter(({ count }) => count > 0)
          .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
      }),
    ),
  };
}

type Answer = ReturnType<typeof byHand>;

async function asked(bench: Bench, name: string, { start, end, version }: Question): Promise<Answer> {
  const owner = await administrator(bench);
  const period = `start=${new Date(start).toISOString()}&end=${new Date(end).toISOString()}${
    version === undefined ? '' : `&versions=${encodeURIComponent(version)}`
  }`;
  const ask = async (path: string) => {
    const reply = await owner.call('GET', `/apps/admin/${name}/analytics${path}${period}`);
    expect(reply.status, reply.text).toBe(200);
    return reply.body;
  };
  const perDevice = await ask('/sessions_per_device?interval=P1W&');
  const { events } = await ask('/events?$top=0&');
  const of = (event: string) => `/events/${encodeURIComponent(event)}`;
  return {
    versions: await ask('/versions?'),
    devices: await ask('/active_device_counts?'),
    sessions: await ask('/session_counts?interval=P1D&'),
    weeks: perDevice.sessions_per_user,
    totals: [perDevice.total_count, perDevice.previous_total_count],
    events: Object.fromEntries(
      events.map(({ name: event, id: _, ...figures }: { name: string; id: string }) => [event, figures]),
    ),
    eventDays: await Promise.all(EVENTS.map(async (each) => (await ask(`${of(each)}/event_count?`)).count)),
    values: await Promise.all(
      EVENTS.map((each) =>
        Promise.all(
          PROPERTIES.map(
            async (property) => (await ask(`${of(each)}/properties/${encodeURIComponent(property)}/counts?`)).values,
          ),
        ),
      ),
    ),
  };
}

onBothStores(
  'the figures of an app',
  (bench) => {
    it('equal a simple count, in whatever order and however often logs arrive', async ({ task }) => {
      const owner = await administrator(bench);
      const numRuns = task.suite?.name.startsWith('sqlite') ? RUNS.sqlite : RUNS.postgres;
      let apps = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(told, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 8 }),
          fc.array(questions, { minLength: 1, maxLength: 3 }),
          async (deliveries, toAsk) => {
            const name = `app-${++apps}`;
            const app = await makeApp(owner, name);
            const all: Told[] = [];
            for (const delivery of deliveries) {
              // The logs of each device are sent together, and then once more.
              for (const phone of new Set(delivery.map((each) => each.device))) {
                const own = delivery.filter((each) => each.device === phone);
                for (const _ of [1, 2]) expect((await post(bench, app, phone, own.map(asLog))).status).toBe(200);
                all.push(...own);
              }
            }
            const fresh = newOf(all);
            for (const question of toAsk) expect(await asked(bench, name, question)).toEqual(byHand(fresh, question));
          },
        ),
        { numRuns, endOnFailure: true },
      );
    });
  },
  { clockStart: NOW },
);
