import fc from 'fast-check';
import rrule from 'rrule';
import { expect, test } from 'vitest';
import { parseRule } from '../../../../src/services/mail/recurrence/rule.ts';
import { take, wall } from './series.ts';

/**
 * Compares with a second implementation of RFC 5545 (npm rrule), which supports only UTC. Cases in which it deviates from the RFC are
 * excluded here.
 */

const CODES = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** Sorted, since the library keeps times of day in the order of the text. */
const list = (values: fc.Arbitrary<number | string>, most: number): fc.Arbitrary<string> =>
  fc
    .uniqueArray(values, { minLength: 1, maxLength: most })
    .map((items) => items.sort((a, b) => Number(a) - Number(b)).join(','));

const signed = (highest: number): fc.Arbitrary<number> =>
  fc.oneof(fc.integer({ min: 1, max: highest }), fc.integer({ min: -highest, max: -1 }));

const weekdays = list(fc.constantFrom(...CODES), 7);
const numberedWeekdays = (most: number): fc.Arbitrary<string> =>
  list(
    fc.tuple(signed(most), fc.constantFrom(...CODES)).map(([ordinal, code]) => `${ordinal}${code}`),
    3,
  );

const part = (name: string, values: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.option(
    values.map((text) => `;${name}=${text}`),
    { nil: '', freq: 2 },
  );

const month = part('BYMONTH', list(fc.integer({ min: 1, max: 12 }), 4));
const monthDay = part('BYMONTHDAY', list(signed(31), 4));
const hour = part('BYHOUR', list(fc.integer({ min: 0, max: 23 }), 3));
const minute = part('BYMINUTE', list(fc.integer({ min: 0, max: 59 }), 3));
const weekStart = part('WKST', fc.constantFrom(...CODES));
/**
 * Only positions that every set has: the library counts others from the wrong end. It also does not count the days of the first week before
 * DTSTART.
 */
const setPos = (most: number): fc.Arbitrary<string> => part('BYSETPOS', list(signed(most), 2));

const joined = (...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((texts) => texts.join(''));

const body = fc.oneof(
  joined(fc.constant('FREQ=DAILY'), month, monthDay, part('BYDAY', weekdays), hour, minute),
  joined(fc.constant('FREQ=WEEKLY'), month, part('BYDAY', weekdays), weekStart, hour),
  joined(fc.constant('FREQ=MONTHLY'), month, monthDay, part('BYDAY', weekdays), hour),
  joined(
    fc.constant('FREQ=MONTHLY'),
    month,
    numberedWeekdays(5).map((days) => `;BYDAY=${days}`),
  ),
  joined(
    fc.constant('FREQ=MONTHLY'),
    weekdays.map((days) => `;BYDAY=${days}`),
    setPos(4),
  ),
  joined(
    fc.constant('FREQ=MONTHLY'),
    list(signed(31), 5).map((days) => `;BYMONTHDAY=${days}`),
    setPos(1),
  ),
  joined(fc.constant('FREQ=YEARLY'), month, monthDay, part('BYDAY', weekdays), hour),
  joined(
    fc.constant('FREQ=YEARLY'),
    month,
    numberedWeekdays(5).map((days) => `;BYDAY=${days}`),
  ),
  joined(
    fc.constant('FREQ=YEARLY'),
    numberedWeekdays(53).map((days) => `;BYDAY=${days}`),
  ),
  joined(
    fc.constant('FREQ=YEARLY'),
    list(signed(366), 5).map((days) => `;BYYEARDAY=${days}`),
    part('BYDAY', weekdays),
  ),
  joined(
    fc.constant('FREQ=YEARLY'),
    list(fc.integer({ min: 2, max: 51 }), 4).map((weeks) => `;BYWEEKNO=${weeks}`),
    weekdays.map((days) => `;BYDAY=${days}`),
    weekStart,
  ),
  joined(fc.constant('FREQ=HOURLY'), part('BYDAY', weekdays), hour, minute),
  joined(fc.constant('FREQ=MINUTELY'), minute),
);

const text = fc
  .tuple(body, fc.integer({ min: 1, max: 4 }))
  // The library does not terminate if a step of several hours never matches BYHOUR.
  .map(([parts, interval]) => (/HOURLY|MINUTELY/.test(parts) ? parts : `${parts};INTERVAL=${interval}`))
  .filter((candidate) => parseRule(candidate) !== undefined);

const start = fc
  .tuple(fc.integer({ min: wall('1996-01-01') / 60_000, max: wall('2030-01-01') / 60_000 }))
  .map(([minutes]) => minutes * 60_000);

const COMPARED = 30;
/** More than are compared, since the library yields the elements of BYSETPOS in the order of the text, and some of them twice. */
const MADE = 2 * COMPARED;
/** For a rule without further occurrences, the library searches up to the year 9999, which takes minutes. */
const YEARS_MS = 40 * 366 * 86_400_000;

const byLibrary = (rule: string, dtstart: number): number[] => {
  const found: number[] = [];
  new rrule.RRule({ ...rrule.RRule.parseString(rule), dtstart: new Date(dtstart) }).all((date) => {
    found.push(date.getTime());
    return found.length < MADE;
  });
  return [...new Set(found)].sort((a, b) => a - b).filter((at) => at > dtstart);
};

test('random rules have the occurrences that another implementation gives, and DTSTART', () => {
  fc.assert(
    fc.property(text, start, (rule, dtstart) => {
      const parsed = parseRule(rule);
      const rules = parsed ? [parsed] : [];
      const own = take({ start: dtstart, zone: 'UTC', rules, dates: [], exDates: [], isAllDay: false }, MADE + 1);
      fc.pre(own.length === MADE + 1 && (own[MADE] ?? 0) - dtstart < YEARS_MS);
      const theirs = byLibrary(rule, dtstart);
      const compared = Math.min(COMPARED, theirs.length);
      expect(compared).toBeGreaterThan(COMPARED / 2);
      expect(own.slice(0, compared + 1), rule).toEqual([dtstart, ...theirs.slice(0, compared)]);
    }),
    { numRuns: 150 },
  );
});
