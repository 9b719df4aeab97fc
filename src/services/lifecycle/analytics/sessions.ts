import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { MINUTE_MS, SECOND_MS } from '../../../kernel/time/index.ts';
import { appOf } from '../access/access.ts';
import { routeCode } from '../jar.ts';
import { Counts, DeviceSets, datetimeOf, ratio, Tally } from './counts.ts';
import { INTERVAL, INTERVALS, type Interval, PERIOD, readPeriod } from './query.ts';
import { readPeriodDays, sessionsOf } from './read-days.ts';

/** Upper bounds of the session duration buckets. */
const BUCKETS = [
  { bucket: '0-30s', below: 30 * SECOND_MS },
  { bucket: '30s-1min', below: MINUTE_MS },
  { bucket: '1-30min', below: 30 * MINUTE_MS },
  { bucket: '30min-1h', below: 60 * MINUTE_MS },
  { bucket: '>1h', below: Number.POSITIVE_INFINITY },
] as const;

/** Maps each day to the first day of its interval; the first interval starts with the period. */
function intervalsOf(days: readonly string[], interval: Interval): ReadonlyMap<string, string> {
  const length = INTERVALS[interval];
  return new Map(days.map((day, index) => [day, days[index - (index % length)] as string]));
}

export const sessionCounts = routeCode([], {
  query: Type.Object({ ...PERIOD, ...INTERVAL }),
  responses: { 200: Counts },
  async handle(call) {
    const { jar, query } = call;
    const period = readPeriod(query, jar.clock.now());
    const intervals = intervalsOf(period.days, query.interval);
    const sessions = new Tally();
    for await (const { day, value } of readPeriodDays(jar.store, appOf(call).id, { ...period, previous: [] })) {
      const begin = intervals.get(day);
      if (begin !== undefined) sessions.add(begin, sessionsOf(value));
    }
    return ok(
      [...new Set(intervals.values())].map((day) => ({ datetime: datetimeOf(day), count: sessions.count(day) })),
    );
  },
});

const PerDevice = Type.Object({
  average_sessions_per_user: Type.Number(),
  previous_average_sessions_per_user: Type.Number(),
  total_count: Type.Integer(),
  previous_total_count: Type.Integer(),
  sessions_per_user: Counts,
});

const NOW = 'now';
const BEFORE = 'before';

export const perDeviceCounts = routeCode([], {
  query: Type.Object({ ...PERIOD, ...INTERVAL }),
  responses: { 200: PerDevice },
  async handle(call) {
    const { jar, query } = call;
    const period = readPeriod(query, jar.clock.now());
    const intervals = intervalsOf(period.days, query.interval);
    const sessions = new Tally();
    const devices = new DeviceSets();
    for await (const { day, installId, value, isPrevious } of readPeriodDays(jar.store, appOf(call).id, period)) {
      const count = sessionsOf(value);
      const spans = isPrevious ? [BEFORE] : [NOW, intervals.get(day) as string];
      for (const span of spans) {
        sessions.add(span, count);
        devices.add(span, installId);
      }
    }
    const average = (span: string): number => ratio(sessions.count(span), devices.count(span));
    return ok({
      average_sessions_per_user: average(NOW),
      previous_average_sessions_per_user: average(BEFORE),
      total_count: sessions.count(NOW),
      previous_total_count: sessions.count(BEFORE),
      sessions_per_user: [...new Set(intervals.values())].map((day) => ({
        datetime: datetimeOf(day),
        count: average(day),
      })),
    });
  },
});

const Distribution = Type.Object({
  distribution: Type.Array(Type.Object({ bucket: Type.String(), count: Type.Integer() })),
  average_duration: Type.String(),
  previous_average_duration: Type.String(),
});

export const sessionDurationsDistribution = routeCode([], {
  query: Type.Object(PERIOD),
  responses: { 200: Distribution },
  async handle(call) {
    const { jar, query } = call;
    const period = readPeriod(query, jar.clock.now());
    const buckets = new Tally();
    const now = { count: 0, duration: 0 };
    const before = { count: 0, duration: 0 };
    for await (const { value, isPrevious } of readPeriodDays(jar.store, appOf(call).id, period)) {
      for (const [start, lastSeen] of Object.values(value.sessions)) {
        if (start === null) continue;
        const duration = Math.max(lastSeen - start, 0);
        const sum = isPrevious ? before : now;
        sum.count++;
        sum.duration += duration;
        if (!isPrevious) buckets.add(bucketOf(duration));
      }
    }
    return ok({
      distribution: BUCKETS.map(({ bucket }) => ({ bucket, count: buckets.count(bucket) })),
      average_duration: durationText(ratio(now.duration, now.count)),
      previous_average_duration: durationText(ratio(before.duration, before.count)),
    });
  },
});

const bucketOf = (duration: number): string => BUCKETS.find(({ below }) => duration < below)?.bucket as string;

/** An ISO 8601 duration such as `PT1H2M3S`. */
function durationText(duration: number): string {
  const seconds = Math.round(duration / SECOND_MS);
  const parts = [
    [Math.floor(seconds / 3600), 'H'],
    [Math.floor((seconds % 3600) / 60), 'M'],
    [seconds % 60, 'S'],
  ] as const;
  const text = parts.map(([count, unit]) => (count === 0 ? '' : `${count}${unit}`)).join('');
  return `PT${text === '' ? '0S' : text}`;
}
