import { DAY_MS } from '../../../kernel/time/index.ts';
import { CUSTOM_ZONE, isSameZone, zoneOf } from '../zones/names.ts';
import {
  dayOfWall,
  formatDate,
  LAST_WALL,
  timeOfDay,
  type Wall,
  type ZonedTime,
  type ZoneName,
} from '../zones/wall.ts';
import { toInstant, toWall } from '../zones/zone.ts';
import { occurrences } from './expand.ts';
import { firstOccurrence } from './first-occurrence.ts';
import { Members } from './members.ts';
import { type RecurrenceMistake, RecurrenceRefused } from './mistakes.ts';
import { toRule } from './to-rule.ts';
import {
  DAYS_OF_WEEK,
  type DayOfWeek,
  NO_DATE,
  PATTERN_TYPES,
  type PatternedRecurrence,
  type PatternType,
  RANGE_TYPES,
  type RecurrencePattern,
  type RecurrenceRange,
  WEEK_INDEXES,
} from './types.ts';

export { firstOccurrence } from './first-occurrence.ts';
export type { RecurrenceErrorCode, RecurrenceMistake } from './mistakes.ts';

/** The event of a recurrence, as the client sent it. */
export interface RecurringEvent {
  readonly start: ZonedTime;
  /** The client's name for the zone of `start`. */
  readonly zoneName: string;
  /** Milliseconds of wall-clock time. */
  readonly duration: number;
  readonly isAllDay: boolean;
}

/** `first` is the start of the first occurrence, in the zone of the recurrence. It becomes the start of the series. */
export type ValidatedRecurrence =
  | { readonly recurrence: PatternedRecurrence; readonly first: ZonedTime }
  | { readonly mistake: RecurrenceMistake };

const LONGEST_INTERVAL = 99;
const LONGEST_DAILY_INTERVAL = 999;
const MOST_OCCURRENCES = 999;
/** Enough to find the smallest distance of every pattern: a week of days, five years of months. */
const DISTANCES_COMPARED = 60;

const ABSOLUTE: readonly PatternType[] = ['absoluteMonthly', 'absoluteYearly'];
const RELATIVE: readonly PatternType[] = ['relativeMonthly', 'relativeYearly'];
const YEARLY: readonly PatternType[] = ['absoluteYearly', 'relativeYearly'];

/** A property that the type does not use is validated anyway. It may be 0, as in answers, and is not stored. */
const numberOf = (members: Members, name: string, isUsed: boolean, highest: number, use: string): number => {
  if (isUsed) return members.integer(name, members.required(name, use), 1, highest);
  members.integer(name, members.optional(name) ?? 0, 0, highest);
  return 0;
};

const daysOf = (members: Members, isUsed: boolean, use: string): readonly DayOfWeek[] => {
  const name = 'daysOfWeek';
  const value = isUsed ? members.required(name, use) : (members.optional(name) ?? []);
  if (!Array.isArray(value)) {
    throw new RecurrenceRefused('RequestBodyRead', `The property '${name}' must be an array.`, members.target(name));
  }
  const given = new Set(value.map((item: unknown) => members.word(name, item, DAYS_OF_WEEK)));
  if (isUsed && given.size === 0) {
    throw new RecurrenceRefused(
      'ErrorInvalidRequest',
      `The property '${name}' needs at least one day ${use}.`,
      members.target(name),
    );
  }
  return isUsed ? DAYS_OF_WEEK.filter((day) => given.has(day)) : [];
};

const patternOf = (value: unknown): RecurrencePattern => {
  const members = new Members(value, 'recurrence/pattern');
  const type = members.word('type', members.required('type', 'in a recurrence pattern'), PATTERN_TYPES);
  const use = `for a pattern of type ${type}`;
  const longest = type === 'daily' ? LONGEST_DAILY_INTERVAL : LONGEST_INTERVAL;
  const usesDays = type === 'weekly' || RELATIVE.includes(type);
  const firstDayOfWeek = members.word('firstDayOfWeek', members.optional('firstDayOfWeek') ?? 'sunday', DAYS_OF_WEEK);
  const index = members.word('index', members.optional('index') ?? 'first', WEEK_INDEXES);
  return {
    type,
    interval: members.integer('interval', members.required('interval', use), 1, longest),
    month: numberOf(members, 'month', YEARLY.includes(type), 12, use),
    dayOfMonth: numberOf(members, 'dayOfMonth', ABSOLUTE.includes(type), 31, use),
    daysOfWeek: daysOf(members, usesDays, use),
    firstDayOfWeek: type === 'weekly' ? firstDayOfWeek : 'sunday',
    index: RELATIVE.includes(type) ? index : 'first',
  };
};

interface ValidatedRange {
  readonly range: RecurrenceRange;
  readonly startDay: Wall;
  readonly endDay?: Wall;
  readonly zone: ZoneName;
}

const zoneOfRange = (members: Members, event: RecurringEvent): [zone: ZoneName, name: string] => {
  const name = 'recurrenceTimeZone';
  const value = members.optional(name);
  // Answers have the empty string and the name of custom zones; clients send them back.
  if (value === undefined || value === '' || value === CUSTOM_ZONE || value === event.zoneName) {
    return [event.start.zone, event.zoneName];
  }
  const zone = typeof value === 'string' ? zoneOf(value) : undefined;
  if (typeof value === 'string' && zone !== undefined) return [zone, value];
  const shown = typeof value === 'string' ? `'${value.slice(0, 80)}'` : 'not a string';
  const message = `The property '${name}' is ${shown}, which is not a time zone.`;
  throw new RecurrenceRefused('TimeZoneNotSupportedException', message, members.target(name));
};

const rangeOf = (value: unknown, event: RecurringEvent): ValidatedRange => {
  const members = new Members(value, 'recurrence/range');
  const type = members.word('type', members.required('type', 'in a recurrence range'), RANGE_TYPES);
  const use = `for a range of type ${type}`;
  const [zone, recurrenceTimeZone] = zoneOfRange(members, event);
  const startDay = members.date('startDate', members.required('startDate', use));
  const usesEnd = type === 'endDate';
  const endValue = usesEnd ? members.required('endDate', use) : (members.optional('endDate') ?? NO_DATE);
  const endDay = members.date('endDate', endValue);
  if (usesEnd && endDay < startDay) throw members.invalid('endDate', "The property 'endDate' is before 'startDate'.");
  const numberOfOccurrences = numberOf(members, 'numberOfOccurrences', type === 'numbered', MOST_OCCURRENCES, use);
  const range: RecurrenceRange = {
    type,
    startDate: formatDate(startDay),
    endDate: usesEnd ? formatDate(endDay) : NO_DATE,
    recurrenceTimeZone,
    numberOfOccurrences,
  };
  return { range, startDay, ...(usesEnd && { endDay }), zone };
};

/** The wall-clock start in the recurrence's zone. Whole days are the same in every zone. */
const startIn = (zone: ZoneName, { start, isAllDay }: RecurringEvent): Wall =>
  isAllDay || isSameZone(zone, start.zone) ? start.wall : toWall(zone, toInstant(start.zone, start.wall));

/**
 * `startDate` and the event's start may both be the day from which the client started. Answers have that day as `startDate` and the first
 * occurrence as the event's start.
 */
const checkStart = ({ range, startDay, zone }: ValidatedRange, firstDay: Wall, event: RecurringEvent): Wall => {
  const start = startIn(zone, event);
  const eventDay = dayOfWall(start) * DAY_MS;
  if (eventDay === startDay || eventDay === firstDay) return start;
  const message = `The property 'startDate' is ${range.startDate}, but the event starts on ${formatDate(start)} in ${range.recurrenceTimeZone}.`;
  throw new RecurrenceRefused('ErrorPropertyValidationFailure', message, 'recurrence/range/startDate');
};

/** Occurrences may touch but not overlap. */
const checkDuration = (recurrence: PatternedRecurrence, first: ZonedTime, event: RecurringEvent): void => {
  const rules = [toRule(recurrence, first, event.isAllDay)];
  const series = { start: first.wall, zone: first.zone, rules, dates: [], exDates: [], isAllDay: event.isAllDay };
  let previous: Wall | undefined;
  let compared = 0;
  for (const wall of occurrences(series, { from: first.wall })) {
    if (previous !== undefined && wall - previous < event.duration) {
      const message = 'The event lasts longer than the time until its next occurrence.';
      throw new RecurrenceRefused('ErrorOccurrenceTimeSpanTooBig', message, 'recurrence/pattern');
    }
    previous = wall;
    compared += 1;
    if (compared > DISTANCES_COMPARED) return;
  }
};

const validated = (value: unknown, event: RecurringEvent): ValidatedRecurrence => {
  const members = new Members(value, 'recurrence');
  const pattern = patternOf(members.required('pattern', 'in a recurrence'));
  const validRange = rangeOf(members.required('range', 'in a recurrence'), event);
  const { range, startDay, endDay, zone } = validRange;
  const firstDay = firstOccurrence(pattern, startDay);
  const start = checkStart(validRange, firstDay, event);
  if (firstDay > (endDay ?? LAST_WALL)) {
    const message = `The pattern has no occurrence from ${range.startDate} to ${formatDate(endDay ?? LAST_WALL)}.`;
    throw new RecurrenceRefused('ErrorPropertyValidationFailure', message, 'recurrence/range/endDate');
  }
  const recurrence = { pattern, range };
  const first = { wall: firstDay + timeOfDay(start), zone };
  checkDuration(recurrence, first, event);
  return { recurrence, first };
};

/** Validates a client's recurrence for an event. Returns it in the form of answers, or the mistake. */
export const validateRecurrence = (value: unknown, event: RecurringEvent): ValidatedRecurrence => {
  try {
    return validated(value, event);
  } catch (error) {
    if (error instanceof RecurrenceRefused) return { mistake: error.mistake };
    throw error;
  }
};
