import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOccurrence, occurrences } from '../../../../src/services/mail/recurrence/expand.ts';
import { rule, series, shown, take, wall } from './series.ts';

const DAY = 86_400_000;

describe('the occurrences of a series', () => {
  test('without rules are DTSTART and the RDATEs, in order and without duplicates', () => {
    const dates = ['2026-03-01T09:00:00', '2026-01-01T09:00:00', '2026-03-01T09:00:00', '2026-02-01T10:00:00'].map(
      wall,
    );
    expect(shown(take(series('2026-01-01T09:00:00', [], { dates }), 10))).toEqual([
      '2026-01-01 09:00',
      '2026-02-01 10:00',
      '2026-03-01 09:00',
    ]);
  });

  test('have DTSTART first even where the rule does not match it, and COUNT counts it', () => {
    const of = series('2026-01-01T09:00:00', 'FREQ=WEEKLY;BYDAY=MO;COUNT=3');
    expect(shown(take(of, 10))).toEqual(['2026-01-01 09:00', '2026-01-05 09:00', '2026-01-12 09:00']);
  });

  test('are counted before EXDATE removes some', () => {
    const of = series('2026-01-01T09:00:00', 'FREQ=DAILY;COUNT=4', {
      exDates: [wall('2026-01-02T09:00:00'), wall('2026-01-01T09:00:00')],
    });
    expect(shown(take(of, 10))).toEqual(['2026-01-03 09:00', '2026-01-04 09:00']);
  });

  test('of several rules and dates are merged', () => {
    const of = series('2026-01-01T09:00:00', ['FREQ=DAILY;COUNT=3', 'FREQ=MONTHLY;COUNT=2'], {
      dates: [wall('2026-01-02T12:00:00')],
    });
    expect(shown(take(of, 10))).toEqual([
      '2026-01-01 09:00',
      '2026-01-02 09:00',
      '2026-01-02 12:00',
      '2026-01-03 09:00',
      '2026-02-01 09:00',
    ]);
  });

  test('of whole days ignore times, in the rule as in EXDATE', () => {
    const of = series('2026-01-01', 'FREQ=DAILY;BYHOUR=9,10;COUNT=3', {
      isAllDay: true,
      exDates: [wall('2026-01-02T05:00:00')],
    });
    expect(shown(take(of, 10), true)).toEqual(['2026-01-01', '2026-01-03']);
    const hourly = series('2026-01-01', 'FREQ=HOURLY;COUNT=3', { isAllDay: true });
    expect(shown(take(hourly, 10), true)).toEqual(['2026-01-01', '2026-01-02', '2026-01-03']);
  });

  test('end before the end of a window, begin at its begin', () => {
    const of = series('2026-01-01T09:00:00', 'FREQ=DAILY');
    const found = occurrences(of, { from: wall('2026-01-03T09:00:00'), to: wall('2026-01-05T09:00:00') });
    expect(shown([...found])).toEqual(['2026-01-03 09:00', '2026-01-04 09:00']);
    expect(shown([...found])).toHaveLength(2);
    expect(found.isIncomplete).toBe(false);
  });

  test('a time is an occurrence or not', () => {
    const of = series('2026-01-01T09:00:00', 'FREQ=DAILY', { exDates: [wall('2026-01-04T09:00:00')] });
    expect(isOccurrence(of, wall('2026-01-03T09:00:00'))).toBe(true);
    expect(isOccurrence(of, wall('2026-01-03T10:00:00'))).toBe(false);
    expect(isOccurrence(of, wall('2026-01-04T09:00:00'))).toBe(false);
    expect(isOccurrence(of, wall('2025-12-31T09:00:00'))).toBe(false);
  });
});

describe('BYWEEKNO', () => {
  test('without BYDAY means the weekday of DTSTART', () => {
    expect(shown(take(series('1997-05-12', 'FREQ=YEARLY;BYWEEKNO=20', { isAllDay: true }), 3), true)).toEqual([
      '1997-05-12',
      '1998-05-11',
      '1999-05-17',
    ]);
  });

  test('weeks of ISO 8601 reach into the neighbouring years, and count from the end too', () => {
    const first = series('2024-01-01', 'FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO', { isAllDay: true });
    expect(shown(take(first, 4), true)).toEqual(['2024-01-01', '2024-12-30', '2025-12-29', '2027-01-04']);
    const last = series('2020-12-31', 'FREQ=YEARLY;BYWEEKNO=-1;BYDAY=TH', { isAllDay: true });
    expect(shown(take(last, 3), true)).toEqual(['2020-12-31', '2021-12-30', '2022-12-29']);
    const fiftyThird = series('2020-12-31', 'FREQ=YEARLY;BYWEEKNO=53;BYDAY=TH', { isAllDay: true });
    expect(shown(take(fiftyThird, 2), true)).toEqual(['2020-12-31', '2026-12-31']);
  });
});

describe('the 29th, 30th and 31st', () => {
  test('a rule skips months that lack the day, over a common and a leap year', () => {
    const days = (date: number): string[] =>
      shown(
        take(series(`2023-01-${date}`, `FREQ=MONTHLY;BYMONTHDAY=${date};UNTIL=20240430`, { isAllDay: true }), 30),
        true,
      );
    expect(days(29)).toHaveLength(15);
    expect(days(29)).not.toContain('2023-02-28');
    expect(days(29)).toContain('2024-02-29');
    expect(days(30)).toHaveLength(14);
    expect(days(31)).toHaveLength(9);
    expect(shown(take(series('2024-02-29', 'FREQ=YEARLY', { isAllDay: true }), 3), true)).toEqual([
      '2024-02-29',
      '2028-02-29',
      '2032-02-29',
    ]);
  });
});

describe('UNTIL', () => {
  /** The last occurrence of a daily rule at 09:00. */
  const last = (zone: string, until: string, start = '2026-10-20T09:00:00'): string | undefined =>
    shown(take(series(start, `FREQ=DAILY;UNTIL=${until}`, { zone }), 500)).at(-1);

  test.each([
    ['a moment at the slot includes it', 'Europe/Berlin', '20261231T080000Z', '2026-12-31 09:00'],
    ['a moment just before the slot does not', 'Europe/Berlin', '20261231T075959Z', '2026-12-30 09:00'],
    ['midnight of UTC ends on the day before', 'Europe/Berlin', '20261231T000000Z', '2026-12-30 09:00'],
    ['before the change to winter time', 'Europe/Berlin', '20261024T070000Z', '2026-10-24 09:00'],
    ['after the change to winter time', 'Europe/Berlin', '20261025T080000Z', '2026-10-25 09:00'],
    ['one second short after the change', 'Europe/Berlin', '20261025T075959Z', '2026-10-24 09:00'],
    ['before the change to summer time in the south', 'America/Santiago', '20261101T120000Z', '2026-11-01 09:00'],
    ['in the south', 'Australia/Sydney', '20261130T220000Z', '2026-12-01 09:00'],
    ['one second short in the south', 'Australia/Sydney', '20261130T215959Z', '2026-11-30 09:00'],
    ['a date includes all of its day', 'Europe/Berlin', '20261231', '2026-12-31 09:00'],
    ['a time without a zone is of the series', 'America/New_York', '20261231T090000', '2026-12-31 09:00'],
    ['a time without a zone just before', 'America/New_York', '20261231T085959', '2026-12-30 09:00'],
    ['before DTSTART leaves DTSTART', 'Europe/Berlin', '20200101T000000Z', '2026-10-20 09:00'],
  ])('%s', (_title, zone, until, expected) => {
    expect(last(zone, until)).toBe(expected);
  });

  test.each([
    ['a date', '20261231', '2026-12-31'],
    ['midnight of UTC', '20261231T000000Z', '2026-12-31'],
    ['the last second of UTC', '20261231T235959Z', '2026-12-31'],
    ['midnight of the zone', '20261230T230000Z', '2026-12-31'],
    ['a time without a zone', '20261231T000000', '2026-12-31'],
  ])('of whole days may be %s', (_title, until, expected) => {
    const of = series('2026-12-01', `FREQ=DAILY;UNTIL=${until}`, { zone: 'Europe/Berlin', isAllDay: true });
    expect(shown(take(of, 500), true).at(-1)).toBe(expected);
  });

  test('with COUNT, the earlier end counts', () => {
    expect(take(series('2026-01-01T09:00:00', 'FREQ=DAILY;COUNT=5;UNTIL=20260103'), 10)).toHaveLength(3);
    expect(take(series('2026-01-01T09:00:00', 'FREQ=DAILY;COUNT=2;UNTIL=20260103'), 10)).toHaveLength(2);
  });
});

describe('the work', () => {
  const FAR = wall('3026-01-01');
  const MANY = (count: number): string => Array.from({ length: count }, (_, value) => value).join(',');

  test.each([
    'FREQ=DAILY',
    'FREQ=WEEKLY;BYDAY=MO,TU',
    'FREQ=MONTHLY',
    'FREQ=YEARLY',
    'FREQ=SECONDLY',
    'FREQ=MINUTELY;INTERVAL=7',
  ])('of reaching a window a thousand years ahead is small: %s', (text) => {
    const found = occurrences(series('2026-01-05T09:00:00', text), { from: FAR, to: FAR + 400 * DAY, work: 2000 });
    const [first] = found;
    expect(first).toBeGreaterThanOrEqual(FAR);
  });

  test.each([
    ['a rule of seconds for ever', 'FREQ=SECONDLY'],
    ['a rule that never matches, by days', 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30'],
    ['a rule that never matches, by seconds', 'FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30'],
    ['steps that never meet the hour', 'FREQ=HOURLY;INTERVAL=2;BYHOUR=10'],
    [
      'every second of every day of a year',
      `FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=${MANY(24)};BYMINUTE=${MANY(60)};BYSECOND=${MANY(60)}`,
    ],
    ['a count of two thousand million', 'FREQ=DAILY;COUNT=2147483647'],
    ['hundreds of positions', `FREQ=SECONDLY;BYSECOND=0;BYSETPOS=${MANY(366).slice(2)}`],
  ])('is bounded: %s', (_title, text) => {
    const found = occurrences(series('2026-01-05T09:00:00', text), { from: 0 });
    const count = [...found].length;
    expect(count).toBeLessThanOrEqual(100_000);
    expect(found.isIncomplete).toBe(true);
  });

  test('is bounded for thousands of rules', () => {
    const of = series('2026-01-05T09:00:00', []);
    const found = occurrences({ ...of, rules: Array.from({ length: 5000 }, () => rule('FREQ=SECONDLY')) }, { from: 0 });
    expect([...found].length).toBeLessThanOrEqual(100_000);
    expect(found.isIncomplete).toBe(true);
  });

  test('ends with the year 9999, to which a rule that never matches is searched', () => {
    const never = occurrences(series('2026-01-05T09:00:00', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'), { from: 0 });
    expect([...never]).toEqual([wall('2026-01-05T09:00:00')]);
    expect(never.isIncomplete).toBe(false);
    const last = occurrences(series('9998-01-05T09:00:00', 'FREQ=YEARLY'), { from: 0 });
    expect(shown([...last])).toEqual(['9998-01-05 09:00', '9999-01-05 09:00']);
  });

  test('can be set; an expansion within it is complete', () => {
    const of = series('2026-01-05T09:00:00', 'FREQ=DAILY;COUNT=50');
    const [enough, short] = [occurrences(of, { from: 0, work: 500 }), occurrences(of, { from: 0, work: 120 })];
    expect([[...enough].length, enough.isIncomplete]).toEqual([50, false]);
    expect([[...short].length < 50, short.isIncomplete]).toEqual([true, true]);
  });
});

test('a window shows the same occurrences as an expansion from the start', () => {
  const text = fc.constantFrom(
    'FREQ=DAILY;INTERVAL=3',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU',
    'FREQ=WEEKLY;BYMONTH=2,3',
    'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1',
    'FREQ=MONTHLY;INTERVAL=5;BYMONTHDAY=31',
    'FREQ=YEARLY;BYWEEKNO=1,53;BYDAY=MO,SU',
    'FREQ=YEARLY;BYDAY=1MO,-1FR',
    'FREQ=HOURLY;INTERVAL=31;BYDAY=MO,TU',
    'FREQ=DAILY;BYMONTH=1;BYHOUR=9,17',
    'FREQ=MONTHLY;COUNT=20',
    'FREQ=DAILY;INTERVAL=20;UNTIL=20290101T000000Z',
  );
  const days = fc.integer({ min: 0, max: 4 * 365 });
  fc.assert(
    fc.property(
      text,
      fc.integer({ min: 0, max: 60 }),
      days,
      fc.integer({ min: 0, max: 200 }),
      (given, shift, begin, length) => {
        const of = series('2026-01-01T09:30:00', given);
        const moved = { ...of, start: of.start + shift * DAY };
        const [from, to] = [moved.start + begin * DAY, moved.start + (begin + length) * DAY];
        const all = [...occurrences(moved, { from: 0, to: moved.start + 5 * 365 * DAY })];
        expect([...occurrences(moved, { from, to })]).toEqual(all.filter((at) => at >= from && at < to));
      },
    ),
    { numRuns: 200 },
  );
});
