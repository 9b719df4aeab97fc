import {
  DAYS_OF_WEEK,
  type PatternedRecurrence,
  type RecurrencePattern,
  type RecurrenceRange,
} from '../../../../src/services/mail/recurrence/types.ts';

/** A pattern in which missing values have the defaults of an answer. */
export const pattern = (given: Pick<RecurrencePattern, 'type'> & Partial<RecurrencePattern>): RecurrencePattern => ({
  interval: 1,
  month: 0,
  dayOfMonth: 0,
  daysOfWeek: [],
  firstDayOfWeek: 'sunday',
  index: 'first',
  ...given,
});

export const range = (given: Pick<RecurrenceRange, 'startDate'> & Partial<RecurrenceRange>): RecurrenceRange => ({
  type: 'noEnd',
  endDate: '0001-01-01',
  recurrenceTimeZone: 'W. Europe Standard Time',
  numberOfOccurrences: 0,
  ...given,
});

export const endless = (given: Parameters<typeof pattern>[0], startDate = '2026-01-01'): PatternedRecurrence => ({
  pattern: pattern(given),
  range: range({ startDate }),
});

export const WEEKDAYS = DAYS_OF_WEEK.slice(1, 6);
