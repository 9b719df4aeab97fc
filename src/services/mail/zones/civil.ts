import { type Civil, civilOf, type Day, dayOfCivil } from '../../../kernel/time/index.ts';

export { type Civil, civilOf, type Day, dayOfCivil };

/** 0 is Sunday, 6 is Saturday. */
export type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6;

/** The years that the API can express: 0001-01-01 is its "no date", 9999 the last year of four digits. */
export const FIRST_YEAR = 1;
export const LAST_YEAR = 9999;

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export const yearOfDay = (day: Day): number => civilOf(day).year;

export const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

export const daysInYear = (year: number): number => (isLeapYear(year) ? 366 : 365);

export const daysInMonth = (year: number, month: number): number =>
  month === 2 && isLeapYear(year) ? 29 : (LENGTHS[month - 1] ?? 0);

const WEEKDAYS: readonly Weekday[] = [0, 1, 2, 3, 4, 5, 6];

/** The weekday of any whole number, counted in weeks. */
export const weekdayFrom = (value: number): Weekday => WEEKDAYS[((value % 7) + 7) % 7] ?? 0;

/** 1970-01-01 was a Thursday. */
export const weekdayOf = (day: Day): Weekday => weekdayFrom(day + 4);

/** The first day of the week that contains `day`, in weeks that begin at `weekStart`. */
export const weekBegin = (day: Day, weekStart: Weekday): Day => day - ((weekdayOf(day) - weekStart + 7) % 7);
