import { expect, test } from 'vitest';
import { recurrenceInWords } from '../../../../src/services/mail/page/recurrence-in-words.ts';
import type { RecurrencePattern, RecurrenceRange } from '../../../../src/services/mail/recurrence/types.ts';

const PATTERN: RecurrencePattern = {
  type: 'daily',
  interval: 1,
  month: 0,
  dayOfMonth: 0,
  daysOfWeek: [],
  firstDayOfWeek: 'sunday',
  index: 'first',
};
const RANGE: RecurrenceRange = {
  type: 'noEnd',
  startDate: '2026-01-05',
  endDate: '0001-01-01',
  recurrenceTimeZone: 'UTC',
  numberOfOccurrences: 0,
};

const CASES: readonly (readonly [Partial<RecurrencePattern>, Partial<RecurrenceRange>, string])[] = [
  [{}, {}, 'Every day, from 5 January 2026'],
  [{ interval: 3 }, { type: 'numbered', numberOfOccurrences: 4 }, 'Every 3 days, from 5 January 2026, 4 times'],
  [
    { type: 'weekly', interval: 2, daysOfWeek: ['monday', 'wednesday', 'friday'] },
    { type: 'endDate', endDate: '2026-06-30' },
    'Every 2 weeks on Monday, Wednesday and Friday, from 5 January 2026 until 30 June 2026',
  ],
  [
    { type: 'weekly', daysOfWeek: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] },
    {},
    'Every working day, from 5 January 2026',
  ],
  [{ type: 'absoluteMonthly', dayOfMonth: 31 }, {}, 'Every month on day 31, from 5 January 2026'],
  [
    { type: 'relativeMonthly', index: 'last', daysOfWeek: ['friday'] },
    {},
    'Every month on the last Friday, from 5 January 2026',
  ],
  [
    { type: 'relativeMonthly', interval: 2, index: 'first', daysOfWeek: ['sunday', 'saturday'] },
    {},
    'Every 2 months on the first day of the weekend, from 5 January 2026',
  ],
  [{ type: 'absoluteYearly', dayOfMonth: 29, month: 2 }, {}, 'Every year on 29 February, from 5 January 2026'],
  [
    { type: 'relativeYearly', index: 'second', daysOfWeek: ['sunday'], month: 5 },
    {},
    'Every year on the second Sunday of May, from 5 January 2026',
  ],
];

test.each(CASES)('%j with %j is said in words', (pattern, range, words) => {
  expect(recurrenceInWords({ pattern: { ...PATTERN, ...pattern }, range: { ...RANGE, ...range } })).toBe(words);
});
