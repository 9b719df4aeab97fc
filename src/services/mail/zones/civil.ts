/** Arithmetic of the proleptic Gregorian calendar on whole days, counted from 1970-01-01. Integer arithmetic only: `Date` is slower and maps years below 100 to 19xx. */

/** Days since 1970-01-01. */
export type Day = number;

/** 0 is Sunday, 6 is Saturday. */
export type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6;

/** A month is 1..12, a day of the month 1..31. */
export interface Civil {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** The years that the API can express: 0001-01-01 is its "no date", 9999 the last year of four digits. */
export const FIRST_YEAR = 1;
export const LAST_YEAR = 9999;

const DAYS_PER_ERA = 146_097; // 400 years
const EPOCH_SHIFT = 719_468; // days from 0000-03-01 to 1970-01-01
const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The day of a date. Years are counted from 1 March, so that the leap day is the last of its year. */
export const dayOfCivil = (year: number, month: number, day: number): Day => {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_PER_ERA + dayOfEra - EPOCH_SHIFT;
};

export const civilOf = (day: Day): Civil => {
  const shifted = day + EPOCH_SHIFT;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
  };
};

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
