import { DAY_MS } from '../../../kernel/time/index.ts';
import { civilOf, type Day, dayOfCivil, daysInMonth, weekBegin, weekdayOf } from '../zones/civil.ts';
import { dayOfWall, type Wall } from '../zones/wall.ts';
import { ordinalOf, weekdayOfName } from './to-rule.ts';
import type { RecurrencePattern } from './types.ts';

/** The one day of a month in a monthly or yearly pattern. If the month is too short, it is the last day. */
const slotOfMonth = (pattern: RecurrencePattern, year: number, month: number): Day => {
  const first = dayOfCivil(year, month, 1);
  const length = daysInMonth(year, month);
  if (pattern.type === 'absoluteMonthly' || pattern.type === 'absoluteYearly') {
    return first + Math.min(pattern.dayOfMonth, length) - 1;
  }
  const wanted = new Set(pattern.daysOfWeek.map(weekdayOfName));
  const days: Day[] = [];
  for (let day = first; day < first + length; day++) if (wanted.has(weekdayOf(day))) days.push(day);
  const ordinal = ordinalOf(pattern.index);
  return days.at(ordinal > 0 ? ordinal - 1 : ordinal) ?? first;
};

/** Weeks are counted from the week of the start. */
const firstOfWeeks = ({ daysOfWeek, firstDayOfWeek, interval }: RecurrencePattern, start: Day): Day => {
  const week = weekBegin(start, weekdayOfName(firstDayOfWeek));
  const offsets = daysOfWeek
    .map((name) => (weekdayOfName(name) - weekdayOfName(firstDayOfWeek) + 7) % 7)
    .sort((a, b) => a - b);
  const inThisWeek = offsets.map((offset) => week + offset).find((day) => day >= start);
  return inThisWeek ?? week + interval * 7 + (offsets[0] ?? 0);
};

const firstOfMonths = (pattern: RecurrencePattern, start: Day): Day => {
  const { year, month } = civilOf(start);
  const slot = slotOfMonth(pattern, year, month);
  return slot >= start ? slot : slotOfMonth(pattern, month === 12 ? year + 1 : year, (month % 12) + 1);
};

const firstOfYears = (pattern: RecurrencePattern, start: Day): Day => {
  const { year } = civilOf(start);
  const slot = slotOfMonth(pattern, year, pattern.month);
  return slot >= start ? slot : slotOfMonth(pattern, year + 1, pattern.month);
};

/**
 * The first day on or after `startDate` on which the pattern has an occurrence. Months and years count from that occurrence, not from
 * `startDate`: the first Thursday of every second month, from 29 August, is first in September.
 */
export const firstOccurrence = (pattern: RecurrencePattern, startDate: Wall): Wall => {
  const start = dayOfWall(startDate);
  switch (pattern.type) {
    case 'daily':
      return start * DAY_MS;
    case 'weekly':
      return firstOfWeeks(pattern, start) * DAY_MS;
    case 'absoluteMonthly':
    case 'relativeMonthly':
      return firstOfMonths(pattern, start) * DAY_MS;
    case 'absoluteYearly':
    case 'relativeYearly':
      return firstOfYears(pattern, start) * DAY_MS;
  }
};
