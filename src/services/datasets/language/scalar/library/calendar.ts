import { END_OF_SERIALS } from '../../../../../kernel/store/index.ts';
import { DAY_MS } from '../../../../../kernel/time/index.ts';
import { fail, NO_DATE } from './failures.ts';

export { DAY_MS };

/** Days since 1899-12-30, the day 0 of serial numbers, and back. In the Gregorian calendar, also for times before it. */
export interface CivilDate {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
}

/** 0100-01-01, and the day after 9999-12-31. */
export const FIRST_DAY = -657_434;
export const END_OF_DAYS = END_OF_SERIALS;

const DAYS_PER_ERA = 146_097; // 400 years
/** From 0000-03-01 to 1899-12-30. Years begin with March here, so that a leap day is the last day of its year. */
const OFFSET = 693_899;

/** Serial numbers are rounded to milliseconds first: the nearest double of 13:04:09 can be a little less. */
export const millisecondsOf = (serial: number): number => Math.floor(serial * DAY_MS + 0.5);

/** The number of the day of a serial number; fails for what is no date. */
export function dayOf(serial: number): number {
  if (!(serial >= FIRST_DAY && serial < END_OF_DAYS)) fail(NO_DATE);
  return Math.floor(millisecondsOf(serial) / DAY_MS);
}

export function timeOf(serial: number): number {
  return millisecondsOf(serial) - dayOf(serial) * DAY_MS;
}

export function civilOf(day: number): CivilDate {
  const shifted = day + OFFSET;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  return {
    year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1,
  };
}

/** The month may be any number: those beyond a year belong to another one. */
export function dayOfCivil(year: number, month: number, day: number): number {
  const monthsFromMarch = year * 12 + month - 3;
  const shiftedYear = Math.floor(monthsFromMarch / 12);
  const fromMarch = monthsFromMarch - shiftedYear * 12;
  const era = Math.floor(shiftedYear / 400);
  const yearOfEra = shiftedYear - era * 400;
  const dayOfEra =
    yearOfEra * 365 +
    Math.floor(yearOfEra / 4) -
    Math.floor(yearOfEra / 100) +
    Math.floor((153 * fromMarch + 2) / 5) +
    day -
    1;
  return era * DAYS_PER_ERA + dayOfEra - OFFSET;
}

export const daysInMonth = (year: number, month: number): number =>
  dayOfCivil(year, month + 1, 1) - dayOfCivil(year, month, 1);

/** Sunday is 0. Day 0 was a Saturday. */
export const weekdayOf = (day: number): number => (((day + 6) % 7) + 7) % 7;

/** Years of two digits are of 1950 to 2049. */
export const fullYear = (year: number): number => (year < 50 ? year + 2000 : year < 100 ? year + 1900 : year);

export const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
export const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
