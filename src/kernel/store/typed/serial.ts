import { DAY_MS } from '../../time/units.ts';

/** Days from 1899-12-30, the epoch of serial dates, to 1970. */
export const SERIAL_OF_1970 = 25_569;
/** 0001-01-01 and the day after 9999-12-31, in days since 1899-12-30. */
export const FIRST_SERIAL = -693_593;
export const END_OF_SERIALS = 2_958_466;

/** Converts milliseconds since 1970 to a `datetime`. Day and time are added last, so that the same instant always gives the same number. */
export function serialAt(instant: number): number {
  const day = Math.floor(instant / DAY_MS);
  return day + SERIAL_OF_1970 + (instant - day * DAY_MS) / DAY_MS;
}
