import type { Weekday } from '../zones/civil.ts';
import type { Wall, ZoneName } from '../zones/wall.ts';

/** The API's patternedRecurrence, with the values of its answers: an unused property is 0, `first`, `sunday`, `[]` or `0001-01-01`. */
export interface PatternedRecurrence {
  readonly pattern: RecurrencePattern;
  readonly range: RecurrenceRange;
}

export const PATTERN_TYPES = [
  'daily',
  'weekly',
  'absoluteMonthly',
  'relativeMonthly',
  'absoluteYearly',
  'relativeYearly',
] as const;
export type PatternType = (typeof PATTERN_TYPES)[number];

/** In the order of `Weekday`. */
export const DAYS_OF_WEEK = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
export type DayOfWeek = (typeof DAYS_OF_WEEK)[number];

export const WEEK_INDEXES = ['first', 'second', 'third', 'fourth', 'last'] as const;
export type WeekIndex = (typeof WEEK_INDEXES)[number];

export const RANGE_TYPES = ['endDate', 'noEnd', 'numbered'] as const;
export type RangeType = (typeof RANGE_TYPES)[number];

export const NO_DATE = '0001-01-01';

export interface RecurrencePattern {
  readonly type: PatternType;
  readonly interval: number;
  /** 1..12 in yearly patterns, otherwise 0. */
  readonly month: number;
  /** 1..31 in absolute patterns, otherwise 0. In shorter months, the occurrence is on the last day. */
  readonly dayOfMonth: number;
  /** From Sunday to Saturday, without duplicates. */
  readonly daysOfWeek: readonly DayOfWeek[];
  readonly firstDayOfWeek: DayOfWeek;
  readonly index: WeekIndex;
}

export interface RecurrenceRange {
  readonly type: RangeType;
  readonly startDate: string;
  readonly endDate: string;
  /** The Windows or IANA name that the client or the organizer sent. */
  readonly recurrenceTimeZone: string;
  readonly numberOfOccurrences: number;
}

export const FREQUENCIES = ['SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/**
 * One element of BYDAY. `ordinal` 0 means every such day; otherwise it counts from the begin or, if negative, from the end of the month or
 * year.
 */
export interface WeekdayNumber {
  readonly weekday: Weekday;
  readonly ordinal: number;
}

/** UNTIL: an instant (`...Z`), a whole day, or a time without a zone. */
export type Until =
  | { readonly kind: 'utc'; readonly at: number }
  | { readonly kind: 'date'; readonly day: Wall }
  | { readonly kind: 'local'; readonly wall: Wall };

/** An RRULE of RFC 5545. An empty list means that the rule does not have the part. Lists are sorted, without duplicates. */
export interface Rule {
  readonly frequency: Frequency;
  readonly interval: number;
  readonly count?: number;
  readonly until?: Until;
  /** The default is Monday. */
  readonly weekStart?: Weekday;
  readonly bySecond: readonly number[];
  readonly byMinute: readonly number[];
  readonly byHour: readonly number[];
  readonly byDay: readonly WeekdayNumber[];
  readonly byMonthDay: readonly number[];
  readonly byYearDay: readonly number[];
  readonly byWeekNo: readonly number[];
  readonly byMonth: readonly number[];
  readonly bySetPos: readonly number[];
}

/** Input for expanding the occurrences of an event. All walls are in `zone`. */
export interface Series {
  /** DTSTART, which is an occurrence even if no rule matches it. */
  readonly start: Wall;
  readonly zone: ZoneName;
  readonly rules: readonly Rule[];
  /** RDATE */
  readonly dates: readonly Wall[];
  /** EXDATE; applied after COUNT has counted the occurrences. */
  readonly exDates: readonly Wall[];
  /** True if occurrences are whole days: walls are midnights, and BYHOUR, BYMINUTE and BYSECOND have no effect. */
  readonly isAllDay: boolean;
}
