import { END_OF_SERIALS } from '../../../../../kernel/store/index.ts';
import * as time from '../../../../../kernel/time/index.ts';
import { fail, NO_DATE } from './failures.ts';

export const { DAY_MS } = time;

/** Dates by serial number: days since 1899-12-30, which is day 0. */
export type CivilDate = time.Civil;

/** 0100-01-01, and the day after 9999-12-31. */
export const FIRST_DAY = -657_434;
export const END_OF_DAYS = END_OF_SERIALS;

/** Days from 1899-12-30 to 1970-01-01. */
const EPOCH = 25_569;

/** Serial numbers are rounded to milliseconds first, because the nearest double to a time such as 13:04:09 can be slightly smaller. */
export const millisecondsOf = (serial: number): number => Math.floor(serial * DAY_MS + 0.5);

/** The day number of a serial number. Throws if it is outside the calendar. */
export function dayOf(serial: number): number {
  if (!(serial >= FIRST_DAY && serial < END_OF_DAYS)) fail(NO_DATE);
  return Math.floor(millisecondsOf(serial) / DAY_MS);
}

export function timeOf(serial: number): number {
  return millisecondsOf(serial) - dayOf(serial) * DAY_MS;
}

export const civilOf = (day: number): CivilDate => time.civilOf(day - EPOCH);

/** The month can be any number: months beyond 1 to 12 fall in other years. */
export const dayOfCivil = (year: number, month: number, day: number): number =>
  time.dayOfCivil(year, month, day) + EPOCH;

export const daysInMonth = (year: number, month: number): number =>
  dayOfCivil(year, month + 1, 1) - dayOfCivil(year, month, 1);

/** Sunday is 0. Day 0 is a Saturday. */
export const weekdayOf = (day: number): number => (((day + 6) % 7) + 7) % 7;

/** Two-digit years mean 1950 to 2049. */
export const fullYear = (year: number): number => (year < 50 ? year + 2000 : year < 100 ? year + 1900 : year);

export const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
export const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
