/**
 * Arithmetic of the proleptic Gregorian calendar on days counted from 1970-01-01. Uses only integers: `Date` is slower and maps years below
 * 100 to 19xx.
 */

/** Days since 1970-01-01. */
export type Day = number;

/** Month is 1..12, day is 1..31. */
export interface Civil {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const DAYS_PER_ERA = 146_097; // 400 years
const EPOCH_SHIFT = 719_468; // days from 0000-03-01 to 1970-01-01

/**
 * Converts a date to a day. Years are counted from 1 March, so that the leap day is the last day of its year. Month and day may be any
 * integers: values out of range carry over to other years or months.
 */
export function dayOfCivil(year: number, month: number, day: number): Day {
  const monthsFromMarch = year * 12 + month - 3;
  const y = Math.floor(monthsFromMarch / 12);
  const fromMarch = monthsFromMarch - y * 12;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * fromMarch + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_PER_ERA + dayOfEra - EPOCH_SHIFT;
}

export function civilOf(day: Day): Civil {
  const shifted = day + EPOCH_SHIFT;
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
