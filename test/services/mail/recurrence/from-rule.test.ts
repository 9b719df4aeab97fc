import { describe, expect, test } from 'vitest';
import { toPattern } from '../../../../src/services/mail/recurrence/from-rule.ts';
import type { RecurrencePattern, Series } from '../../../../src/services/mail/recurrence/types.ts';
import { pattern, range, WEEKDAYS } from './patterns.ts';
import { series, wall } from './series.ts';

type Given = Pick<RecurrencePattern, 'type'> & Partial<RecurrencePattern>;

/** 2026-01-13 is a Tuesday, the second of its month. */
const TUESDAY = '2026-01-13T09:00:00';
const BERLIN: Partial<Series> = { zone: 'Europe/Berlin' };

const EXACT: readonly (readonly [rule: string, expected: Given, start?: string])[] = [
  ['FREQ=DAILY;INTERVAL=2', { type: 'daily', interval: 2 }],
  ['FREQ=DAILY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR,SA,SU', { type: 'daily', interval: 2 }],
  ['FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR', { type: 'weekly', daysOfWeek: WEEKDAYS, firstDayOfWeek: 'monday' }],
  ['FREQ=WEEKLY', { type: 'weekly', daysOfWeek: ['tuesday'], firstDayOfWeek: 'monday' }],
  ['FREQ=WEEKLY;BYDAY=TU;BYSETPOS=1', { type: 'weekly', daysOfWeek: ['tuesday'], firstDayOfWeek: 'monday' }],
  [
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=TH,TU;WKST=SU',
    { type: 'weekly', interval: 2, daysOfWeek: ['tuesday', 'thursday'], firstDayOfWeek: 'sunday' },
  ],
  ['FREQ=MONTHLY', { type: 'absoluteMonthly', dayOfMonth: 13 }],
  ['FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=13', { type: 'absoluteMonthly', interval: 3, dayOfMonth: 13 }],
  ['FREQ=MONTHLY;BYMONTHDAY=13;BYSETPOS=-1', { type: 'absoluteMonthly', dayOfMonth: 13 }],
  ['FREQ=MONTHLY;BYMONTHDAY=-1', { type: 'absoluteMonthly', dayOfMonth: 31 }, '2026-02-28T09:00:00'],
  ['FREQ=MONTHLY;BYMONTHDAY=28,29;BYSETPOS=-1', { type: 'absoluteMonthly', dayOfMonth: 29 }, '2026-01-29T09:00:00'],
  ['FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1', { type: 'absoluteMonthly', dayOfMonth: 30 }, '2026-01-30T09:00:00'],
  [
    'FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1',
    { type: 'absoluteMonthly', dayOfMonth: 31 },
    '2026-01-31T09:00:00',
  ],
  ['FREQ=MONTHLY;BYDAY=2TU', { type: 'relativeMonthly', daysOfWeek: ['tuesday'], index: 'second' }],
  [
    'FREQ=MONTHLY;BYDAY=-1TU',
    { type: 'relativeMonthly', daysOfWeek: ['tuesday'], index: 'last' },
    '2026-01-27T09:00:00',
  ],
  ['FREQ=MONTHLY;BYDAY=TU;BYSETPOS=2', { type: 'relativeMonthly', daysOfWeek: ['tuesday'], index: 'second' }],
  [
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
    { type: 'relativeMonthly', daysOfWeek: WEEKDAYS, index: 'last' },
    '2026-01-30T09:00:00',
  ],
  ['FREQ=MONTHLY;BYDAY=TU', { type: 'weekly', daysOfWeek: ['tuesday'], firstDayOfWeek: 'monday' }],
  [
    'FREQ=MONTHLY;BYMONTHDAY=8,9,10,11,12,13,14;BYDAY=TU',
    { type: 'relativeMonthly', daysOfWeek: ['tuesday'], index: 'second' },
  ],
  [
    'FREQ=MONTHLY;BYMONTHDAY=-7,-6,-5,-4,-3,-2,-1;BYDAY=TU',
    { type: 'relativeMonthly', daysOfWeek: ['tuesday'], index: 'last' },
    '2026-01-27T09:00:00',
  ],
  ['FREQ=MONTHLY;INTERVAL=12', { type: 'absoluteMonthly', interval: 12, dayOfMonth: 13 }],
  ['FREQ=MONTHLY;BYMONTH=1;BYMONTHDAY=13', { type: 'absoluteYearly', month: 1, dayOfMonth: 13 }],
  ['FREQ=YEARLY', { type: 'absoluteYearly', month: 1, dayOfMonth: 13 }],
  ['FREQ=YEARLY;BYMONTH=1', { type: 'absoluteYearly', month: 1, dayOfMonth: 13 }],
  ['FREQ=YEARLY;INTERVAL=2;BYMONTH=1;BYMONTHDAY=13', { type: 'absoluteYearly', interval: 2, month: 1, dayOfMonth: 13 }],
  ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1', { type: 'absoluteYearly', month: 2, dayOfMonth: 29 }, '2026-02-28T09:00:00'],
  [
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1',
    { type: 'absoluteYearly', month: 2, dayOfMonth: 29 },
    '2026-02-28T09:00:00',
  ],
  [
    'FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=-3',
    { type: 'absoluteYearly', month: 12, dayOfMonth: 29 },
    '2026-12-29T09:00:00',
  ],
  ['FREQ=YEARLY;BYMONTHDAY=13', { type: 'absoluteMonthly', dayOfMonth: 13 }],
  ['FREQ=YEARLY;BYDAY=TU', { type: 'weekly', daysOfWeek: ['tuesday'], firstDayOfWeek: 'monday' }],
  ['FREQ=YEARLY;BYMONTH=1;BYDAY=2TU', { type: 'relativeYearly', month: 1, daysOfWeek: ['tuesday'], index: 'second' }],
  [
    'FREQ=YEARLY;BYMONTH=1;BYDAY=TU;BYSETPOS=2',
    { type: 'relativeYearly', month: 1, daysOfWeek: ['tuesday'], index: 'second' },
  ],
  [
    'FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=25,26,27,28,29,30,31;BYDAY=TU',
    { type: 'relativeYearly', month: 1, daysOfWeek: ['tuesday'], index: 'last' },
    '2026-01-27T09:00:00',
  ],
  ['FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=0', { type: 'daily' }],
];

/** Shown as the nearest pattern; occurrences are still computed from the rule. */
const NEAREST: readonly (readonly [title: string, rule: string, expected: Given, start: string])[] = [
  [
    'the 31st of every month',
    'FREQ=MONTHLY;BYMONTHDAY=31',
    { type: 'absoluteMonthly', dayOfMonth: 31 },
    '2026-01-31T09:00:00',
  ],
  ['the 30th of every month', 'FREQ=MONTHLY', { type: 'absoluteMonthly', dayOfMonth: 30 }, '2026-01-30T09:00:00'],
  [
    'the 29th of every month',
    'FREQ=MONTHLY;BYMONTHDAY=29',
    { type: 'absoluteMonthly', dayOfMonth: 29 },
    '2026-01-29T09:00:00',
  ],
  ['29 February', 'FREQ=YEARLY', { type: 'absoluteYearly', month: 2, dayOfMonth: 29 }, '2024-02-29T09:00:00'],
  [
    'a DTSTART outside its rule',
    'FREQ=WEEKLY;BYDAY=MO',
    { type: 'weekly', daysOfWeek: ['monday'], firstDayOfWeek: 'monday' },
    TUESDAY,
  ],
];

const NONE: readonly (readonly [title: string, rule: string])[] = [
  ['weekdays of every other day', 'FREQ=DAILY;INTERVAL=2;BYDAY=MO,TU'],
  ['days of one month', 'FREQ=DAILY;BYMONTH=1'],
  ['weeks of one month', 'FREQ=WEEKLY;BYMONTH=1'],
  ['the second of several days of a week', 'FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=2'],
  ['the fifth Tuesday', 'FREQ=MONTHLY;BYDAY=5TU'],
  ['the second-to-last Tuesday', 'FREQ=MONTHLY;BYDAY=-2TU'],
  ['two ordinals', 'FREQ=MONTHLY;BYDAY=1TU,3TU'],
  ['every Tuesday of every other month', 'FREQ=MONTHLY;INTERVAL=2;BYDAY=TU'],
  ['two days of a month', 'FREQ=MONTHLY;BYMONTHDAY=13,20'],
  ['the third-to-last day', 'FREQ=MONTHLY;BYMONTHDAY=-3'],
  ['Friday the 13th', 'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13'],
  ['two months', 'FREQ=YEARLY;BYMONTH=1,2'],
  ['31 April, which never comes', 'FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=31'],
  ['every Tuesday of a month', 'FREQ=YEARLY;BYMONTH=1;BYDAY=TU'],
  ['the 20th Monday of the year', 'FREQ=YEARLY;BYDAY=20MO'],
  ['the first Tuesday of the year', 'FREQ=YEARLY;BYDAY=TU;BYSETPOS=1'],
  ['a day of the month every other year', 'FREQ=YEARLY;INTERVAL=2;BYMONTHDAY=13'],
  ['days of the year', 'FREQ=YEARLY;BYYEARDAY=13'],
  ['weeks of the year', 'FREQ=YEARLY;BYWEEKNO=3'],
  ['two times a day', 'FREQ=DAILY;BYHOUR=9,10'],
  ['another time of day', 'FREQ=DAILY;BYHOUR=10'],
  ['hours', 'FREQ=HOURLY'],
  ['minutes', 'FREQ=MINUTELY'],
  ['seconds', 'FREQ=SECONDLY'],
];

describe('the pattern of a rule', () => {
  test.each(EXACT.map(([text, expected, start = TUESDAY]) => ({ text, expected, start })))(
    '$text is exact',
    ({ text, expected, start }) => {
      const found = toPattern(series(start, text, BERLIN), 'W. Europe Standard Time');
      const recurrence = { pattern: pattern(expected), range: range({ startDate: start.slice(0, 10) }) };
      expect(found).toEqual({ fit: 'exact', recurrence });
    },
  );

  test.each(NEAREST)('%s is shown by the nearest one', (_title, rule, expected, start) => {
    const found = toPattern(series(start, rule, BERLIN), 'W. Europe Standard Time');
    expect(found).toMatchObject({ fit: 'nearest', recurrence: { pattern: pattern(expected) } });
  });

  test.each(NONE)('%s: there is none', (_title, rule) => {
    expect(toPattern(series(TUESDAY, rule, BERLIN), 'UTC')).toEqual({ fit: 'none' });
  });

  test('several rules, or an RDATE beside the rule, are shown by the first rule', () => {
    expect(toPattern(series(TUESDAY, ['FREQ=DAILY', 'FREQ=MONTHLY'], BERLIN), 'UTC')).toMatchObject({
      fit: 'nearest',
      recurrence: { pattern: { type: 'daily' } },
    });
    const dates = [wall('2026-03-01T09:00:00')];
    expect(toPattern(series(TUESDAY, 'FREQ=DAILY', { dates }), 'UTC')).toMatchObject({ fit: 'nearest' });
    expect(toPattern(series(TUESDAY, [], { dates }), 'UTC')).toEqual({ fit: 'none' });
  });

  test('an EXDATE is a cancelled occurrence of an exact pattern', () => {
    expect(toPattern(series(TUESDAY, 'FREQ=DAILY', { exDates: [wall('2026-01-14T09:00:00')] }), 'UTC')).toMatchObject({
      fit: 'exact',
    });
  });

  test('of whole days, times in the rule have no effect', () => {
    const of = series('2026-01-13', 'FREQ=DAILY;BYHOUR=9;BYMINUTE=0', { isAllDay: true });
    expect(toPattern(of, 'UTC')).toMatchObject({ fit: 'exact', recurrence: { pattern: { type: 'daily' } } });
  });
});

describe('the range of a rule', () => {
  const rangeOf = (text: string, more: Partial<Series> = {}): unknown => {
    const found = toPattern(
      series(more.isAllDay ? '2026-01-13' : TUESDAY, `FREQ=DAILY;${text}`, { ...BERLIN, ...more }),
      'UTC',
    );
    return found.fit === 'none' ? undefined : found.recurrence.range;
  };
  const until = (endDate: string): unknown =>
    range({ type: 'endDate', startDate: '2026-01-13', endDate, recurrenceTimeZone: 'UTC' });

  test.each([
    ['midnight of UTC is before the slot of its day', 'UNTIL=20261231T000000Z', '2026-12-30'],
    ['the moment of the slot', 'UNTIL=20261231T080000Z', '2026-12-31'],
    ['one second before the slot', 'UNTIL=20261231T075959Z', '2026-12-30'],
    ['late in the evening of UTC, when Berlin has the next day', 'UNTIL=20261230T233000Z', '2026-12-30'],
    ['a date', 'UNTIL=20261231', '2026-12-31'],
    ['a local time', 'UNTIL=20261231T090000', '2026-12-31'],
    ['a local time before the slot', 'UNTIL=20261231T085959', '2026-12-30'],
    ['an end before DTSTART, which is an occurrence all the same', 'UNTIL=20250101T000000Z', '2026-01-13'],
  ])('%s', (_title, text, endDate) => {
    expect(rangeOf(text)).toEqual(until(endDate));
  });

  test('in the south, where UTC is a day behind', () => {
    expect(rangeOf('UNTIL=20261230T220000Z', { zone: 'Australia/Sydney' })).toEqual(until('2026-12-31'));
    expect(rangeOf('UNTIL=20261230T215959Z', { zone: 'Australia/Sydney' })).toEqual(until('2026-12-30'));
  });

  test('of whole days', () => {
    expect(rangeOf('UNTIL=20261231', { isAllDay: true })).toEqual(until('2026-12-31'));
    expect(rangeOf('UNTIL=20261231T000000Z', { isAllDay: true })).toEqual(until('2026-12-31'));
  });

  test('COUNT is the number of occurrences, DTSTART among them', () => {
    expect(rangeOf('COUNT=5')).toEqual(
      range({ type: 'numbered', startDate: '2026-01-13', numberOfOccurrences: 5, recurrenceTimeZone: 'UTC' }),
    );
  });

  test('of COUNT and UNTIL, the earlier end counts', () => {
    expect(rangeOf('COUNT=5;UNTIL=20260114')).toEqual(until('2026-01-14'));
    expect(rangeOf('COUNT=2;UNTIL=20260114')).toMatchObject({ type: 'numbered', numberOfOccurrences: 2 });
    expect(rangeOf('COUNT=2147483647;UNTIL=99990101')).toEqual(until('9999-01-01'));
  });
});
