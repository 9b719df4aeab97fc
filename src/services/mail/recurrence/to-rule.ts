import { daysInMonth, type Weekday, weekdayFrom } from '../zones/civil.ts';
import { parseDate, timeOfDay, type ZonedTime } from '../zones/wall.ts';
import { toInstant } from '../zones/zone.ts';
import { plainRule } from './rule.ts';
import {
  DAYS_OF_WEEK,
  type DayOfWeek,
  type PatternedRecurrence,
  type RecurrencePattern,
  type Rule,
  type Until,
  WEEK_INDEXES,
  type WeekIndex,
} from './types.ts';

export const weekdayOfName = (name: DayOfWeek): Weekday => weekdayFrom(DAYS_OF_WEEK.indexOf(name));

/** 1..4, or -1 for the last. */
export const ordinalOf = (index: WeekIndex): number => (index === 'last' ? -1 : WEEK_INDEXES.indexOf(index) + 1);

type DayParts = Pick<Rule, 'byDay' | 'byMonthDay' | 'bySetPos'>;

const plainDays = (names: readonly DayOfWeek[]): Rule['byDay'] =>
  names.map((name) => ({ weekday: weekdayOfName(name), ordinal: 0 })).sort((a, b) => a.weekday - b.weekday);

/** A pattern has one occurrence a month. `1TH,1FR` would give two, so several days need BYSETPOS. */
const relativeDay = ({ daysOfWeek, index }: RecurrencePattern): DayParts => {
  const ordinal = ordinalOf(index);
  const byDay = plainDays(daysOfWeek);
  if (byDay.length > 1) return { byDay, byMonthDay: [], bySetPos: [ordinal] };
  return { byDay: byDay.map(({ weekday }) => ({ weekday, ordinal })), byMonthDay: [], bySetPos: [] };
};

/**
 * A pattern clips a day to the length of the month; a rule would skip the month. The last existing day among 28, 29, 30 is the 30th,
 * clipped.
 */
const clippedDay = (dayOfMonth: number): DayParts => {
  if (dayOfMonth <= 28) return { byDay: [], byMonthDay: [dayOfMonth], bySetPos: [] };
  if (dayOfMonth === 31) return { byDay: [], byMonthDay: [-1], bySetPos: [] };
  return { byDay: [], byMonthDay: [28, 29, 30].filter((day) => day <= dayOfMonth), bySetPos: [-1] };
};

/** 29 February and days beyond the end of the month become its last day. A common year has the shortest February. */
const clippedDayOf = (month: number, dayOfMonth: number): DayParts => {
  const isClipped = dayOfMonth > daysInMonth(2001, month);
  return { byDay: [], byMonthDay: [isClipped ? -1 : dayOfMonth], bySetPos: [] };
};

/** The rule of an endless pattern. */
export const ruleOfPattern = (pattern: RecurrencePattern): Rule => {
  const { type, interval, month, dayOfMonth } = pattern;
  switch (type) {
    case 'daily':
      return plainRule('DAILY', interval);
    case 'weekly':
      // WKST is always written: its default is Monday in RFC 5545, but Sunday in the API.
      return {
        ...plainRule('WEEKLY', interval),
        byDay: plainDays(pattern.daysOfWeek),
        weekStart: weekdayOfName(pattern.firstDayOfWeek),
      };
    case 'absoluteMonthly':
      return { ...plainRule('MONTHLY', interval), ...clippedDay(dayOfMonth) };
    case 'relativeMonthly':
      return { ...plainRule('MONTHLY', interval), ...relativeDay(pattern) };
    case 'absoluteYearly':
      return { ...plainRule('YEARLY', interval), byMonth: [month], ...clippedDayOf(month, dayOfMonth) };
    case 'relativeYearly':
      return { ...plainRule('YEARLY', interval), byMonth: [month], ...relativeDay(pattern) };
  }
};

/** UNTIL has the type of DTSTART: a date for whole days, otherwise the instant at which the occurrence of the last day starts. */
const untilOf = (endDate: string, start: ZonedTime, isAllDay: boolean): Until | undefined => {
  const day = parseDate(endDate);
  if (day === undefined) return undefined;
  if (isAllDay) return { kind: 'date', day };
  return { kind: 'utc', at: toInstant(start.zone, day + timeOfDay(start.wall)) };
};

/** `start` is the first occurrence in the zone of the recurrence: DTSTART of the rule. */
export const toRule = ({ pattern, range }: PatternedRecurrence, start: ZonedTime, isAllDay: boolean): Rule => {
  const rule = ruleOfPattern(pattern);
  if (range.type === 'numbered') return { ...rule, count: range.numberOfOccurrences };
  const until = range.type === 'endDate' ? untilOf(range.endDate, start, isAllDay) : undefined;
  return until ? { ...rule, until } : rule;
};
