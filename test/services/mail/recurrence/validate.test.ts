import { describe, expect, test } from 'vitest';
import {
  firstOccurrence,
  type RecurringEvent,
  validateRecurrence,
} from '../../../../src/services/mail/recurrence/validate.ts';
import { formatDate } from '../../../../src/services/mail/zones/wall.ts';
import { pattern, range } from './patterns.ts';
import { wall } from './series.ts';

/** Monday 5 January 2026, one hour in Berlin. */
const EVENT: RecurringEvent = {
  start: { wall: wall('2026-01-05T09:00:00'), zone: 'Europe/Berlin' },
  zoneName: 'W. Europe Standard Time',
  duration: 3_600_000,
  isAllDay: false,
};

const DAILY = { type: 'daily', interval: 1 };
const NO_END = { type: 'noEnd', startDate: '2026-01-05' };

const mistake = (value: unknown, event = EVENT): unknown => {
  const found = validateRecurrence(value, event);
  return 'mistake' in found ? [found.mistake.code, found.mistake.target] : found;
};

describe('a recurrence that a client sent', () => {
  test('is given in the form of answers: any order, any case, unknown members and unused values left out', () => {
    const value = {
      range: { numberOfOccurrences: 0, startDate: '2026-01-05', endDate: null, type: 'NoEnd', colour: 'red' },
      '@odata.type': '#microsoft.graph.patternedRecurrence',
      pattern: {
        daysOfWeek: ['Wednesday', 'MONDAY', 'monday'],
        interval: 2,
        type: 'WEEKLY',
        index: 'Second',
        month: 0,
        dayOfMonth: 7,
        firstDayOfWeek: 'Monday',
      },
    };
    expect(validateRecurrence(value, EVENT)).toEqual({
      recurrence: {
        pattern: pattern({
          type: 'weekly',
          interval: 2,
          daysOfWeek: ['monday', 'wednesday'],
          firstDayOfWeek: 'monday',
        }),
        range: range({ startDate: '2026-01-05' }),
      },
      first: EVENT.start,
    });
  });

  test('the recurrence of an answer is accepted when it is sent back', () => {
    const value = {
      pattern: { type: 'relativeMonthly', interval: 2, daysOfWeek: ['thursday'] },
      range: { type: 'noEnd', startDate: '2017-08-29' },
    };
    const event = { ...EVENT, start: { ...EVENT.start, wall: wall('2017-08-29T09:00:00') } };
    const answer = validateRecurrence(value, event);
    expect(answer).toMatchObject({ first: { wall: wall('2017-09-07T09:00:00') } });
    if ('mistake' in answer) throw new Error(answer.mistake.message);
    const again = validateRecurrence(answer.recurrence, { ...event, start: answer.first });
    expect(again).toEqual(answer);
  });

  test('firstDayOfWeek defaults to sunday and index to first', () => {
    expect(
      validateRecurrence({ pattern: { type: 'weekly', interval: 1, daysOfWeek: ['monday'] }, range: NO_END }, EVENT),
    ).toMatchObject({
      recurrence: { pattern: { firstDayOfWeek: 'sunday', index: 'first' } },
    });
  });

  test.each([
    ['no object', 'daily', 'RequestBodyRead', 'recurrence'],
    ['a list', [], 'RequestBodyRead', 'recurrence'],
    ['no pattern', { range: NO_END }, 'ErrorInvalidRequest', 'recurrence/pattern'],
    ['no range', { pattern: DAILY }, 'ErrorInvalidRequest', 'recurrence/range'],
    ['a pattern that is a number', { pattern: 1, range: NO_END }, 'RequestBodyRead', 'recurrence/pattern'],
    ['no type', { pattern: { interval: 1 }, range: NO_END }, 'ErrorInvalidRequest', 'recurrence/pattern/type'],
    ['no type of the range', { pattern: DAILY, range: {} }, 'ErrorInvalidRequest', 'recurrence/range/type'],
  ])('%s is refused', (_title, value, code, target) => {
    expect(mistake(value)).toEqual([code, target]);
  });

  test.each([
    ['an unknown type', { type: 'hourly' }, 'RequestBodyRead', 'type'],
    ['an unknown day', { type: 'weekly', daysOfWeek: ['someday'] }, 'RequestBodyRead', 'daysOfWeek'],
    ['a day that is a number', { type: 'weekly', daysOfWeek: [1] }, 'RequestBodyRead', 'daysOfWeek'],
    ['days that are no list', { type: 'weekly', daysOfWeek: 'monday' }, 'RequestBodyRead', 'daysOfWeek'],
    ['an unknown first day', { type: 'daily', firstDayOfWeek: 'someday' }, 'RequestBodyRead', 'firstDayOfWeek'],
    ['an unknown index that is not used', { type: 'daily', index: 'fifth' }, 'RequestBodyRead', 'index'],
    ['no interval', { type: 'daily', interval: null }, 'ErrorInvalidRequest', 'interval'],
    ['an interval of 0', { type: 'daily', interval: 0 }, 'ErrorPropertyValidationFailure', 'interval'],
    ['an interval of 1.5', { type: 'daily', interval: 1.5 }, 'RequestBodyRead', 'interval'],
    ['an interval that is a text', { type: 'daily', interval: '1' }, 'RequestBodyRead', 'interval'],
    ['1000 days', { type: 'daily', interval: 1000 }, 'ErrorPropertyValidationFailure', 'interval'],
    [
      '100 weeks',
      { type: 'weekly', interval: 100, daysOfWeek: ['monday'] },
      'ErrorPropertyValidationFailure',
      'interval',
    ],
    ['no day of the month', { type: 'absoluteMonthly' }, 'ErrorInvalidRequest', 'dayOfMonth'],
    ['day 0 of the month', { type: 'absoluteMonthly', dayOfMonth: 0 }, 'ErrorPropertyValidationFailure', 'dayOfMonth'],
    [
      'day 32 of the month',
      { type: 'absoluteMonthly', dayOfMonth: 32 },
      'ErrorPropertyValidationFailure',
      'dayOfMonth',
    ],
    ['day 32 that is not used', { type: 'daily', dayOfMonth: 32 }, 'ErrorPropertyValidationFailure', 'dayOfMonth'],
    ['no month', { type: 'absoluteYearly', dayOfMonth: 5 }, 'ErrorInvalidRequest', 'month'],
    ['month 13', { type: 'absoluteYearly', dayOfMonth: 5, month: 13 }, 'ErrorPropertyValidationFailure', 'month'],
    ['month 13 that is not used', { type: 'daily', month: 13 }, 'ErrorPropertyValidationFailure', 'month'],
    ['a week without days', { type: 'weekly' }, 'ErrorInvalidRequest', 'daysOfWeek'],
    ['a week with no day', { type: 'weekly', daysOfWeek: [] }, 'ErrorInvalidRequest', 'daysOfWeek'],
    ['a relative month without days', { type: 'relativeMonthly', daysOfWeek: [] }, 'ErrorInvalidRequest', 'daysOfWeek'],
    ['a relative year without days', { type: 'relativeYearly', month: 1 }, 'ErrorInvalidRequest', 'daysOfWeek'],
  ])('a pattern with %s is refused', (_title, given, code, member) => {
    expect(mistake({ pattern: { interval: 1, ...given }, range: NO_END })).toEqual([
      code,
      `recurrence/pattern/${member}`,
    ]);
  });

  test.each([
    ['an unknown type', { type: 'forever' }, 'RequestBodyRead', 'type'],
    ['no start', { startDate: null }, 'ErrorInvalidRequest', 'startDate'],
    ['a start that is no date', { startDate: '2026-02-30' }, 'RequestBodyRead', 'startDate'],
    ['another start than the event', { startDate: '2026-01-06' }, 'ErrorPropertyValidationFailure', 'startDate'],
    ['no end', { type: 'endDate' }, 'ErrorInvalidRequest', 'endDate'],
    [
      'an end before the start',
      { type: 'endDate', endDate: '2026-01-04' },
      'ErrorPropertyValidationFailure',
      'endDate',
    ],
    ['an end that is no date', { type: 'endDate', endDate: 'never' }, 'RequestBodyRead', 'endDate'],
    ['an end that is no date and not used', { endDate: 5 }, 'RequestBodyRead', 'endDate'],
    ['no number', { type: 'numbered' }, 'ErrorInvalidRequest', 'numberOfOccurrences'],
    [
      'a number of 0',
      { type: 'numbered', numberOfOccurrences: 0 },
      'ErrorPropertyValidationFailure',
      'numberOfOccurrences',
    ],
    [
      'a number of 1000',
      { type: 'numbered', numberOfOccurrences: 1000 },
      'ErrorPropertyValidationFailure',
      'numberOfOccurrences',
    ],
    [
      'a negative number that is not used',
      { numberOfOccurrences: -1 },
      'ErrorPropertyValidationFailure',
      'numberOfOccurrences',
    ],
    ['an unknown zone', { recurrenceTimeZone: 'GMT+6:30' }, 'TimeZoneNotSupportedException', 'recurrenceTimeZone'],
    ['a zone that is a number', { recurrenceTimeZone: 1 }, 'TimeZoneNotSupportedException', 'recurrenceTimeZone'],
  ])('a range with %s is refused', (_title, given, code, member) => {
    expect(mistake({ pattern: DAILY, range: { ...NO_END, ...given } })).toEqual([code, `recurrence/range/${member}`]);
  });

  test('a pattern that has no occurrence before its end is refused', () => {
    const value = {
      pattern: { type: 'weekly', interval: 1, daysOfWeek: ['sunday'], firstDayOfWeek: 'monday' },
      range: { type: 'endDate', startDate: '2026-01-05', endDate: '2026-01-10' },
    };
    expect(mistake(value)).toEqual(['ErrorPropertyValidationFailure', 'recurrence/range/endDate']);
  });

  test.each([
    ['99 weeks', { type: 'weekly', interval: 99, daysOfWeek: ['monday'] }],
    ['999 days', { type: 'daily', interval: 999 }],
    ['day 31', { type: 'absoluteMonthly', interval: 1, dayOfMonth: 31 }],
    [
      'all days of a relative month',
      {
        type: 'relativeMonthly',
        interval: 1,
        daysOfWeek: ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'],
      },
    ],
  ])('%s are accepted', (_title, given) => {
    expect(validateRecurrence({ pattern: given, range: NO_END }, EVENT)).toHaveProperty('recurrence');
  });

  test('the start is compared in the zone of the recurrence, which then is the zone of the series', () => {
    const event = { ...EVENT, start: { wall: wall('2026-01-05T23:30:00'), zone: 'UTC' }, zoneName: 'UTC' };
    const inBerlin = (startDate: string): unknown => ({
      pattern: DAILY,
      range: { type: 'noEnd', startDate, recurrenceTimeZone: 'Europe/Berlin' },
    });
    expect(mistake(inBerlin('2026-01-05'), event)).toEqual([
      'ErrorPropertyValidationFailure',
      'recurrence/range/startDate',
    ]);
    expect(validateRecurrence(inBerlin('2026-01-06'), event)).toMatchObject({
      recurrence: { range: { recurrenceTimeZone: 'Europe/Berlin' } },
      first: { wall: wall('2026-01-06T00:30:00'), zone: 'Europe/Berlin' },
    });
  });

  test('whole days keep their dates in every zone', () => {
    const event = {
      ...EVENT,
      start: { wall: wall('2026-01-05'), zone: 'UTC' },
      zoneName: 'UTC',
      isAllDay: true,
      duration: 86_400_000,
    };
    const value = { pattern: DAILY, range: { ...NO_END, recurrenceTimeZone: 'Pacific Standard Time' } };
    expect(validateRecurrence(value, event)).toMatchObject({ first: { wall: wall('2026-01-05') } });
  });

  test('the zone of a custom event may be named as in answers', () => {
    const event = { ...EVENT, start: { ...EVENT.start, zone: 'posix:STD-1:15' }, zoneName: 'tzone://Microsoft/Custom' };
    const value = { pattern: DAILY, range: { ...NO_END, recurrenceTimeZone: 'tzone://Microsoft/Custom' } };
    expect(validateRecurrence(value, event)).toMatchObject({ first: event.start });
  });

  test.each([
    ['a day and an hour, every day', DAILY, 25, true],
    ['a day, every day', DAILY, 24, false],
    ['two days, on Monday and Tuesday', { type: 'weekly', interval: 1, daysOfWeek: ['monday', 'tuesday'] }, 48, true],
    ['six days, from Tuesday to Monday', { type: 'weekly', interval: 1, daysOfWeek: ['monday', 'tuesday'] }, 24, false],
    ['29 days, every month', { type: 'absoluteMonthly', interval: 1, dayOfMonth: 5 }, 29 * 24, true],
    ['28 days, every month', { type: 'absoluteMonthly', interval: 1, dayOfMonth: 5 }, 28 * 24, false],
  ])('an event of %s', (_title, given, hours, isRefused) => {
    const found = mistake({ pattern: given, range: NO_END }, { ...EVENT, duration: hours * 3_600_000 });
    if (isRefused) expect(found).toEqual(['ErrorOccurrenceTimeSpanTooBig', 'recurrence/pattern']);
    else expect(found).toHaveProperty('recurrence');
  });

  test('an event of any length may occur once', () => {
    const value = { pattern: DAILY, range: { ...NO_END, type: 'numbered', numberOfOccurrences: 1 } };
    expect(validateRecurrence(value, { ...EVENT, duration: 72 * 3_600_000 })).toHaveProperty('recurrence');
  });
});

describe('the first occurrence', () => {
  test.each([
    [
      'the first Thursday of every second month, from 29 August',
      pattern({ type: 'relativeMonthly', interval: 2, daysOfWeek: ['thursday'] }),
      '2017-08-29',
      '2017-09-07',
    ],
    ['the same day', pattern({ type: 'daily', interval: 5 }), '2026-01-05', '2026-01-05'],
    ['later in the week', pattern({ type: 'weekly', daysOfWeek: ['friday'] }), '2026-01-05', '2026-01-09'],
    [
      'in the next week of the cycle',
      pattern({ type: 'weekly', interval: 2, daysOfWeek: ['monday'] }),
      '2026-01-07',
      '2026-01-19',
    ],
    [
      'on Sunday, the last day of a week from Monday',
      pattern({ type: 'weekly', interval: 2, daysOfWeek: ['sunday'], firstDayOfWeek: 'monday' }),
      '2026-01-07',
      '2026-01-11',
    ],
    [
      'on Sunday, the first day of a week from Sunday',
      pattern({ type: 'weekly', interval: 2, daysOfWeek: ['sunday'] }),
      '2026-01-07',
      '2026-01-18',
    ],
    ['on the 31st, clipped', pattern({ type: 'absoluteMonthly', dayOfMonth: 31 }), '2026-02-10', '2026-02-28'],
    ['next month', pattern({ type: 'absoluteMonthly', interval: 3, dayOfMonth: 5 }), '2026-12-10', '2027-01-05'],
    [
      'the last weekend day',
      pattern({ type: 'relativeMonthly', daysOfWeek: ['saturday', 'sunday'], index: 'last' }),
      '2026-01-05',
      '2026-01-31',
    ],
    [
      'next year',
      pattern({ type: 'absoluteYearly', interval: 4, month: 1, dayOfMonth: 4 }),
      '2026-01-05',
      '2027-01-04',
    ],
    [
      '29 February of a common year',
      pattern({ type: 'absoluteYearly', month: 2, dayOfMonth: 29 }),
      '2026-01-05',
      '2026-02-28',
    ],
    [
      'Thanksgiving',
      pattern({ type: 'relativeYearly', month: 11, daysOfWeek: ['thursday'], index: 'fourth' }),
      '2026-01-05',
      '2026-11-26',
    ],
  ])('%s', (_title, given, start, expected) => {
    expect(formatDate(firstOccurrence(given, wall(start)))).toBe(expected);
  });
});
