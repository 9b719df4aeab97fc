import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toPattern } from '../../../../src/services/mail/recurrence/from-rule.ts';
import { writeRule } from '../../../../src/services/mail/recurrence/rule.ts';
import { toRule } from '../../../../src/services/mail/recurrence/to-rule.ts';
import {
  DAYS_OF_WEEK,
  PATTERN_TYPES,
  type PatternedRecurrence,
  type Series,
  WEEK_INDEXES,
} from '../../../../src/services/mail/recurrence/types.ts';
import { validateRecurrence } from '../../../../src/services/mail/recurrence/validate.ts';
import { formatDate } from '../../../../src/services/mail/zones/wall.ts';
import { toInstant } from '../../../../src/services/mail/zones/zone.ts';
import { rule, take } from './series.ts';

/** Zones with changes in both hemispheres, at midnight, by half an hour, with and without rules, and without a name. */
const zone = fc.constantFrom(
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'America/Sao_Paulo',
  'Australia/Sydney',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Africa/Cairo',
  'Asia/Beirut',
  'Asia/Tokyo',
  'Pacific/Apia',
  'UTC',
  'posix:STD-1DST-2,M3.5.0/2,M10.5.0/3',
);

const HALF_HOUR = 1_800_000;
/** Every half hour of some years, so that gaps and ambiguous hours occur. */
const start = fc
  .integer({ min: Date.UTC(2008, 0) / HALF_HOUR, max: Date.UTC(2034, 0) / HALF_HOUR })
  .map((halves) => halves * HALF_HOUR);

const CODES = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const codes = fc.subarray(CODES, { minLength: 1 }).map((days) => days.join(','));
const ordinal = fc.constantFrom(1, 2, 3, 4, -1);
const month = fc.integer({ min: 1, max: 12 });

const body = fc.oneof(
  fc.constant('FREQ=DAILY'),
  codes.map((days) => `FREQ=DAILY;BYDAY=${days}`),
  fc
    .tuple(codes, fc.constantFrom('', ';WKST=SU', ';WKST=WE'))
    .map(([days, week]) => `FREQ=WEEKLY;BYDAY=${days}${week}`),
  fc.constantFrom(
    'FREQ=WEEKLY',
    'FREQ=MONTHLY',
    'FREQ=YEARLY',
    'FREQ=MONTHLY;BYMONTHDAY=-1',
    'FREQ=MONTHLY;BYMONTHDAY=28,29;BYSETPOS=-1',
  ),
  fc.integer({ min: 1, max: 31 }).map((day) => `FREQ=MONTHLY;BYMONTHDAY=${day}`),
  fc.tuple(ordinal, fc.constantFrom(...CODES)).map(([position, day]) => `FREQ=MONTHLY;BYDAY=${position}${day}`),
  fc.tuple(ordinal, codes).map(([position, days]) => `FREQ=MONTHLY;BYDAY=${days};BYSETPOS=${position}`),
  fc.constantFrom(...CODES).map((day) => `FREQ=MONTHLY;BYDAY=${day};BYMONTHDAY=15,16,17,18,19,20,21`),
  codes.map((days) => `FREQ=MONTHLY;BYDAY=${days}`),
  fc
    .tuple(month, fc.integer({ min: -1, max: 31 }))
    .map(([of, day]) => `FREQ=YEARLY;BYMONTH=${of};BYMONTHDAY=${day || 1}`),
  fc
    .tuple(month, ordinal, fc.constantFrom(...CODES))
    .map(([of, position, day]) => `FREQ=YEARLY;BYMONTH=${of};BYDAY=${position}${day}`),
  fc
    .tuple(month, ordinal, codes)
    .map(([of, position, days]) => `FREQ=YEARLY;BYMONTH=${of};BYDAY=${days};BYSETPOS=${position}`),
  fc.integer({ min: 1, max: 31 }).map((day) => `FREQ=YEARLY;BYMONTHDAY=${day}`),
);

type End = (from: number) => string;

const compact = (at: number): string => new Date(at).toISOString().slice(0, 19).replaceAll('-', '').replaceAll(':', '');
const halfHours = fc.integer({ min: 0, max: 3 * 365 * 48 }).map((halves) => halves * HALF_HOUR);
const end: fc.Arbitrary<End> = fc.oneof(
  fc.constant<End>(() => ''),
  fc.integer({ min: 1, max: 40 }).map<End>((count) => () => `;COUNT=${count}`),
  halfHours.map<End>((after) => (from) => `;UNTIL=${compact(from + after)}Z`),
  halfHours.map<End>((after) => (from) => `;UNTIL=${compact(from + after)}`),
  halfHours.map<End>((after) => (from) => `;UNTIL=${compact(from + after).slice(0, 8)}`),
  fc.tuple(halfHours, fc.integer({ min: 1, max: 40 })).map<End>(
    ([after, count]) =>
      (from) =>
        `;COUNT=${count};UNTIL=${compact(from + after)}Z`,
  ),
);

const COMPARED = 45;

/** A series of one rule that starts at an occurrence of the rule. */
const anySeries = fc
  .tuple(body, fc.integer({ min: 1, max: 4 }), end, start, zone, fc.boolean())
  .map(([text, interval, ending, given, inZone, isAllDay]): Series => {
    const at = isAllDay ? given - (given % 86_400_000) : given;
    const open = {
      start: at,
      zone: inZone,
      rules: [rule(`${text};INTERVAL=${interval}`)],
      dates: [],
      exDates: [],
      isAllDay,
    };
    const [, second = at] = take(open, 2);
    return { ...open, start: second, rules: [rule(`${text};INTERVAL=${interval}${ending(second)}`)] };
  });

test('a rule and its pattern have the same occurrences if the pattern is exact, in any zone', () => {
  let exact = 0;
  fc.assert(
    fc.property(anySeries, (series) => {
      const found = toPattern(series, 'UTC');
      if (found.fit !== 'exact') return;
      exact += 1;
      const rules = [toRule(found.recurrence, { wall: series.start, zone: series.zone }, series.isAllDay)];
      const instants = (of: Series): number[] => take(of, COMPARED).map((wall) => toInstant(of.zone, wall));
      const text = `${series.rules.map(writeRule)} ${rules.map(writeRule)} ${formatDate(series.start)} ${series.zone}`;
      expect(instants({ ...series, rules }), text).toEqual(instants(series));
    }),
    { numRuns: 600 },
  );
  expect(exact).toBeGreaterThan(100);
});

test('a nearest pattern never has fewer days than the rule, so that it hides no occurrence', () => {
  const day = fc.constantFrom(29, 30, 31);
  fc.assert(
    fc.property(day, fc.integer({ min: 1, max: 4 }), zone, (date, interval, inZone) => {
      const at = Date.UTC(2026, 0, date, 9);
      const series: Series = {
        start: at,
        zone: inZone,
        rules: [rule(`FREQ=MONTHLY;BYMONTHDAY=${date};INTERVAL=${interval}`)],
        dates: [],
        exDates: [],
        isAllDay: false,
      };
      const found = toPattern(series, 'UTC');
      if (found.fit !== 'nearest') throw new Error(found.fit);
      const rules = [toRule(found.recurrence, { wall: at, zone: inZone }, false)];
      const shown = new Set(take({ ...series, rules }, 200));
      expect(take(series, 50).filter((wall) => !shown.has(wall))).toEqual([]);
    }),
  );
});

const anyRecurrence = fc.record({
  pattern: fc.record({
    type: fc.constantFrom(...PATTERN_TYPES),
    interval: fc.integer({ min: 1, max: 12 }),
    month: fc.integer({ min: 1, max: 12 }),
    dayOfMonth: fc.integer({ min: 1, max: 31 }),
    daysOfWeek: fc.subarray([...DAYS_OF_WEEK], { minLength: 1 }),
    firstDayOfWeek: fc.constantFrom(...DAYS_OF_WEEK),
    index: fc.constantFrom(...WEEK_INDEXES),
  }),
  range: fc.oneof(
    fc.constant({ type: 'noEnd' as const }),
    fc.record({ type: fc.constant('numbered' as const), numberOfOccurrences: fc.integer({ min: 1, max: 100 }) }),
    fc.record({ type: fc.constant('endDate' as const), days: fc.integer({ min: 366 * 13, max: 366 * 20 }) }),
  ),
});

/** The validated form of a client's recurrence for an event. */
const validated = (
  given: typeof anyRecurrence extends fc.Arbitrary<infer Given> ? Given : never,
  wall: number,
  inZone: string,
) => {
  const { range } = given;
  const endDate = range.type === 'endDate' ? { endDate: formatDate(wall + range.days * 86_400_000) } : {};
  const value = { pattern: given.pattern, range: { ...range, ...endDate, startDate: formatDate(wall) } };
  const event = { start: { wall, zone: inZone }, zoneName: inZone, duration: 0, isAllDay: false };
  const found = validateRecurrence(value, event);
  if ('mistake' in found) throw new Error(found.mistake.message);
  return found;
};

const asSeries = (recurrence: PatternedRecurrence, wall: number, inZone: string): Series => ({
  start: wall,
  zone: inZone,
  rules: [toRule(recurrence, { wall, zone: inZone }, false)],
  dates: [],
  exDates: [],
  isAllDay: false,
});

test('a pattern of a client becomes a rule that becomes an exact pattern with the same occurrences', () => {
  fc.assert(
    fc.property(anyRecurrence, start, zone, (given, wall, inZone) => {
      const { recurrence, first } = validated(given, wall, inZone);
      const series = asSeries(recurrence, first.wall, inZone);
      const back = toPattern(series, inZone);
      if (back.fit !== 'exact') throw new Error(`${back.fit} for ${series.rules.map(writeRule)}`);
      // The text may differ: 31 April is the last day of April, so the 30th.
      const again = asSeries(back.recurrence, first.wall, inZone);
      expect(take(again, COMPARED), again.rules.map(writeRule).join()).toEqual(take(series, COMPARED));
      expect(back.recurrence.range).toEqual({ ...recurrence.range, startDate: formatDate(first.wall) });
      expect(back.recurrence.pattern.type).toBe(recurrence.pattern.type);
    }),
    { numRuns: 300 },
  );
});

test('the first occurrence of a pattern is one of its rule, on or after the start', () => {
  fc.assert(
    fc.property(anyRecurrence, start, zone, (given, wall, inZone) => {
      const { recurrence, first } = validated(given, wall, inZone);
      expect(first.wall).toBeGreaterThanOrEqual(wall);
      // DTSTART is always an occurrence, so the rule is checked from a later occurrence.
      const series = asSeries({ ...recurrence, range: { ...recurrence.range, type: 'noEnd' } }, first.wall, inZone);
      expect(toPattern(series, inZone).fit).toBe('exact');
    }),
    { numRuns: 200 },
  );
});
