import { DAY_MS } from '../../time/units.ts';

/** Days from 1899-12-30, where the numbers of dates begin, to 1970. */
export const SERIAL_OF_1970 = 25_569;
/** 0001-01-01 and the day after 9999-12-31, in days since 1899-12-30. */
export const FIRST_SERIAL = -693_593;
export const END_OF_SERIALS = 2_958_466;

/** A moment in milliseconds since 1970 as a `datetime`. The day and the time are added last, so that the same moment is the same number wherever it comes from. */
export function serialAt(instant: number): number {
  const day = Math.floor(instant / DAY_MS);
  return day + SERIAL_OF_1970 + (instant - day * DAY_MS) / DAY_MS;
}
