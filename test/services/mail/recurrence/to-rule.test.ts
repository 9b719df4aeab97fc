import { describe, expect, test } from 'vitest';
import { writeRule } from '../../../../src/services/mail/recurrence/rule.ts';
import { toRule } from '../../../../src/services/mail/recurrence/to-rule.ts';
import type { PatternedRecurrence, RecurrencePattern } from '../../../../src/services/mail/recurrence/types.ts';
import { endless, pattern, range, WEEKDAYS } from './patterns.ts';
import { shown, take, wall } from './series.ts';

const BERLIN = { wall: wall('2026-01-05T09:00:00'), zone: 'Europe/Berlin' };

type Given = Pick<RecurrencePattern, 'type'> & Partial<RecurrencePattern>;

const TABLE: readonly (readonly [given: Given, rule: string])[] = [
  [{ type: 'daily', interval: 3 }, 'FREQ=DAILY;INTERVAL=3'],
  [{ type: 'weekly', daysOfWeek: ['friday', 'monday'] }, 'FREQ=WEEKLY;BYDAY=MO,FR;WKST=SU'],
  [
    { type: 'weekly', interval: 2, daysOfWeek: ['monday'], firstDayOfWeek: 'monday' },
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;WKST=MO',
  ],
  [{ type: 'absoluteMonthly', dayOfMonth: 28, interval: 2 }, 'FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=28'],
  [{ type: 'absoluteMonthly', dayOfMonth: 29 }, 'FREQ=MONTHLY;BYMONTHDAY=28,29;BYSETPOS=-1'],
  [{ type: 'absoluteMonthly', dayOfMonth: 30 }, 'FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1'],
  [{ type: 'absoluteMonthly', dayOfMonth: 31 }, 'FREQ=MONTHLY;BYMONTHDAY=-1'],
  [{ type: 'relativeMonthly', daysOfWeek: ['wednesday'], index: 'second' }, 'FREQ=MONTHLY;BYDAY=2WE'],
  [{ type: 'relativeMonthly', daysOfWeek: ['wednesday'], index: 'last' }, 'FREQ=MONTHLY;BYDAY=-1WE'],
  [{ type: 'relativeMonthly', daysOfWeek: ['thursday', 'friday'] }, 'FREQ=MONTHLY;BYDAY=TH,FR;BYSETPOS=1'],
  [{ type: 'relativeMonthly', daysOfWeek: WEEKDAYS, index: 'last' }, 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1'],
  [{ type: 'absoluteYearly', month: 5, dayOfMonth: 17, interval: 2 }, 'FREQ=YEARLY;INTERVAL=2;BYMONTH=5;BYMONTHDAY=17'],
  [{ type: 'absoluteYearly', month: 1, dayOfMonth: 31 }, 'FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=31'],
  [{ type: 'absoluteYearly', month: 2, dayOfMonth: 28 }, 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28'],
  [{ type: 'absoluteYearly', month: 2, dayOfMonth: 29 }, 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1'],
  [{ type: 'absoluteYearly', month: 4, dayOfMonth: 31 }, 'FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=-1'],
  [{ type: 'absoluteYearly', month: 4, dayOfMonth: 30 }, 'FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=30'],
  [
    { type: 'relativeYearly', month: 11, daysOfWeek: ['thursday'], index: 'fourth' },
    'FREQ=YEARLY;BYMONTH=11;BYDAY=4TH',
  ],
  [
    { type: 'relativeYearly', month: 11, daysOfWeek: ['saturday', 'sunday'], index: 'last' },
    'FREQ=YEARLY;BYMONTH=11;BYDAY=SU,SA;BYSETPOS=-1',
  ],
];

describe('the rule of a pattern', () => {
  test.each(TABLE)('%o is %s', (given, text) => {
    expect(writeRule(toRule(endless(given), BERLIN, false))).toBe(text);
  });

  test.each([
    ['the number of occurrences is COUNT', { type: 'numbered', numberOfOccurrences: 7 }, false, 'COUNT=7'],
    [
      'the end date is the moment of its slot',
      { type: 'endDate', endDate: '2026-12-31' },
      false,
      'UNTIL=20261231T080000Z',
    ],
    ['in summer, an hour earlier', { type: 'endDate', endDate: '2026-07-31' }, false, 'UNTIL=20260731T070000Z'],
    ['of whole days, the date', { type: 'endDate', endDate: '2026-12-31' }, true, 'UNTIL=20261231'],
  ] as const)('%s', (_title, end, isAllDay, text) => {
    const recurrence: PatternedRecurrence = {
      pattern: pattern({ type: 'daily' }),
      range: range({ startDate: '2026-01-05', ...end }),
    };
    const start = isAllDay ? { ...BERLIN, wall: wall('2026-01-05') } : BERLIN;
    expect(writeRule(toRule(recurrence, start, isAllDay))).toBe(`FREQ=DAILY;${text}`);
  });

  /** The days of a monthly or yearly pattern, clipped to the end of the month. */
  const days = (given: Given, start: string, count: number): string[] => {
    const first = { wall: wall(start), zone: 'UTC' };
    const rules = [toRule(endless(given, start), first, true)];
    return shown(take({ start: first.wall, zone: 'UTC', rules, dates: [], exDates: [], isAllDay: true }, count), true);
  };

  test.each([
    [29, ['2023-01-29', '2023-02-28', '2023-03-29', '2023-04-29'], '2024-02-29'],
    [30, ['2023-01-30', '2023-02-28', '2023-03-30', '2023-04-30'], '2024-02-29'],
    [31, ['2023-01-31', '2023-02-28', '2023-03-31', '2023-04-30'], '2024-02-29'],
  ])('day %d of every month is clipped, in a common and in a leap year', (dayOfMonth, first, leap) => {
    const found = days({ type: 'absoluteMonthly', dayOfMonth }, `2023-01-${dayOfMonth}`, 15);
    expect(found.slice(0, 4)).toEqual(first);
    expect(found[13]).toBe(leap);
  });

  test('29 February is the 28th in other years', () => {
    expect(days({ type: 'absoluteYearly', month: 2, dayOfMonth: 29 }, '2024-02-29', 5)).toEqual([
      '2024-02-29',
      '2025-02-28',
      '2026-02-28',
      '2027-02-28',
      '2028-02-29',
    ]);
  });

  test('of two days, the first that fits counts, one a month', () => {
    expect(days({ type: 'relativeMonthly', daysOfWeek: ['thursday', 'friday'] }, '2026-01-01', 4)).toEqual([
      '2026-01-01',
      '2026-02-05',
      '2026-03-05',
      '2026-04-02',
    ]);
  });
});
