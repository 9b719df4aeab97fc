import {
  civilOf,
  DAY_MS,
  dayOf,
  dayOfCivil,
  daysInMonth,
  END_OF_DAYS,
  FIRST_DAY,
  fullYear,
  timeOf,
  weekdayOf,
} from './calendar.ts';
import { fail, NO_DATE, outOfRange } from './failures.ts';
import { failing, inlined, type LibraryPart, number, procedure, quoted, strict } from './part.ts';

/** Extracts parts of dates and builds dates from parts. */

const LARGEST_PART = 32_767;
const SECONDS_PER_DAY = 86_400;

const within = (day: number): number => (day >= FIRST_DAY && day < END_OF_DAYS ? day : fail(NO_DATE));

/** Months and days that are too large carry over into the next year and month; zero means the month or day before the first. */
function dateOfParts(year: number, month: number, day: number): number {
  const large = [year, month, day].some((part) => part < 0 || part > LARGEST_PART);
  if (large || year > 9999) fail(outOfRange('DATE'));
  return within(dayOfCivil(fullYear(year), month, 1) + day - 1);
}

function timeOfParts(hour: number, minute: number, second: number): number {
  if ([hour, minute, second].some((part) => part < 0 || part > LARGEST_PART)) fail(outOfRange('TIME'));
  return (((hour * 60 + minute) * 60 + second) % SECONDS_PER_DAY) / SECONDS_PER_DAY;
}

/** A bound that keeps the arithmetic safe; the calendar has far fewer months. */
const MOST_MONTHS = 120_000;

function movedMonths(
  serial: number,
  months: number,
): { readonly year: number; readonly month: number; readonly day: number } {
  const { year, month, day } = civilOf(dayOf(serial));
  if (Math.abs(months) > MOST_MONTHS) fail(NO_DATE);
  return { year, month: month + months, day };
}

function edate(serial: number, months: number): number {
  const { year, month, day } = movedMonths(serial, months);
  return within(dayOfCivil(year, month, Math.min(day, daysInMonth(year, month))));
}

function eomonth(serial: number, months: number): number {
  const { year, month } = movedMonths(serial, months);
  return within(dayOfCivil(year, month + 1, 1) - 1);
}

const part = (of: (serial: number) => number) => strict.one(number, (serial) => BigInt(of(serial)));

const DAY = `${DAY_MS}.0`;
const milliseconds = `floor(serial * ${DAY} + 0.5)`;
const serialOnly = { parameters: 'serial float8', fails: true } as const;

const ofDate = (name: string, field: string): string =>
  inlined(name, { ...serialOnly, returns: 'bigint' }, `extract(${field} FROM cloudjar.dax_date_of(serial))::bigint`);

const ofTime = (name: string, divisor: number, modulo: number): string =>
  inlined(name, { ...serialOnly, returns: 'bigint' }, `cloudjar.dax_time_of(serial) / ${divisor} % ${modulo}`);

const FIRST_MONTH = 'extract(year FROM day)::int * 12 + extract(month FROM day)::int - 1';

export const DATES: LibraryPart = {
  functions: {
    dax_year: part((serial) => civilOf(dayOf(serial)).year),
    dax_month: part((serial) => civilOf(dayOf(serial)).month),
    dax_day: part((serial) => civilOf(dayOf(serial)).day),
    dax_quarter: part((serial) => Math.ceil(civilOf(dayOf(serial)).month / 3)),
    dax_hour: part((serial) => Math.floor(timeOf(serial) / 3_600_000)),
    dax_minute: part((serial) => Math.floor(timeOf(serial) / 60_000) % 60),
    dax_second: part((serial) => Math.floor(timeOf(serial) / 1000) % 60),
    dax_date_only: strict.one(number, dayOf),
    dax_time_only: strict.one(number, (serial) => timeOf(serial) / DAY_MS),
    dax_date_of_parts: strict.three(number, number, number, dateOfParts),
    dax_time_of_parts: strict.three(number, number, number, timeOfParts),
    dax_edate: strict.two(number, number, edate),
    dax_eomonth: strict.two(number, number, eomonth),
    dax_weekday: strict.two(number, number, (serial, type) => {
      const sunday = weekdayOf(dayOf(serial));
      if (type === 1) return BigInt(sunday + 1);
      if (type === 2) return BigInt(((sunday + 6) % 7) + 1);
      return type === 3 ? BigInt((sunday + 6) % 7) : fail(outOfRange('WEEKDAY'));
    }),
  },
  postgres: [
    inlined(
      'date_of',
      { ...serialOnly, returns: 'date' },
      `CASE WHEN serial >= ${FIRST_DAY} AND serial < ${END_OF_DAYS} THEN date '1899-12-30' + floor(${milliseconds} / ${DAY})::int
        WHEN serial IS NOT NULL THEN ${failing(NO_DATE, 'serial', 'date')} END`,
    ),
    inlined(
      'time_of',
      { ...serialOnly, returns: 'bigint' },
      `CASE WHEN serial >= ${FIRST_DAY} AND serial < ${END_OF_DAYS} THEN (${milliseconds} - floor(${milliseconds} / ${DAY}) * ${DAY})::bigint
        WHEN serial IS NOT NULL THEN ${failing(NO_DATE, 'serial', 'bigint')} END`,
    ),
    inlined('serial_of', { parameters: 'day date', returns: 'float8' }, `(day - date '1899-12-30')::float8`),
    ofDate('year', 'year'),
    ofDate('month', 'month'),
    ofDate('day', 'day'),
    ofDate('quarter', 'quarter'),
    ofTime('hour', 3_600_000, 24),
    ofTime('minute', 60_000, 60),
    ofTime('second', 1000, 60),
    inlined('date_only', { ...serialOnly, returns: 'float8' }, 'cloudjar.dax_serial_of(cloudjar.dax_date_of(serial))'),
    inlined('time_only', { ...serialOnly, returns: 'float8' }, `cloudjar.dax_time_of(serial) / ${DAY_MS}::float8`),
    inlined(
      'within_days',
      { parameters: 'day bigint', returns: 'float8', fails: true },
      `CASE WHEN day >= ${FIRST_DAY} AND day < ${END_OF_DAYS} THEN day::float8 WHEN day IS NOT NULL THEN ${failing(NO_DATE, 'day', 'float8')} END`,
    ),
    // The first day of a month counted from January of year 0. Years slightly beyond the calendar are still valid PostgreSQL dates.
    procedure(
      'first_of_month',
      { parameters: 'months int', returns: 'int', fails: true },
      `BEGIN
  IF months < 1200 - 12 OR months > 12 * 10100 THEN PERFORM cloudjar.dax_fail(${quoted(NO_DATE)}, ''); END IF;
  RETURN make_date(months / 12, months % 12 + 1, 1) - date '1899-12-30';
END`,
    ),
    procedure(
      'date_of_parts',
      { parameters: 'y bigint, m bigint, d bigint', returns: 'float8', fails: true },
      `BEGIN
  IF least(y, m, d) < 0 OR greatest(y, m, d) > ${LARGEST_PART} OR y > 9999 THEN PERFORM cloudjar.dax_fail(${quoted(outOfRange('DATE'))}, ''); END IF;
  y := y + CASE WHEN y < 50 THEN 2000 WHEN y < 100 THEN 1900 ELSE 0 END;
  RETURN cloudjar.dax_within_days(cloudjar.dax_first_of_month((y * 12 + m - 1)::int) + d - 1);
END`,
    ),
    procedure(
      'time_of_parts',
      { parameters: 'h bigint, m bigint, s bigint', returns: 'float8', fails: true },
      `BEGIN
  IF least(h, m, s) < 0 OR greatest(h, m, s) > ${LARGEST_PART} THEN PERFORM cloudjar.dax_fail(${quoted(outOfRange('TIME'))}, ''); END IF;
  RETURN ((h * 60 + m) * 60 + s) % ${SECONDS_PER_DAY} / ${SECONDS_PER_DAY}::float8;
END`,
    ),
    procedure(
      'moved_month',
      { parameters: 'day date, months bigint', returns: 'int', fails: true },
      `BEGIN
  IF abs(months) > ${MOST_MONTHS} THEN PERFORM cloudjar.dax_fail(${quoted(NO_DATE)}, ''); END IF;
  RETURN ${FIRST_MONTH} + months;
END`,
    ),
    procedure(
      'edate',
      { parameters: 'serial float8, months bigint', returns: 'float8', fails: true },
      `DECLARE
  day date := cloudjar.dax_date_of(serial);
  month int := cloudjar.dax_moved_month(day, months);
  first int := cloudjar.dax_first_of_month(month);
BEGIN
  RETURN cloudjar.dax_within_days(least(first + extract(day FROM day)::int, cloudjar.dax_first_of_month(month + 1)) - 1);
END`,
    ),
    procedure(
      'eomonth',
      { parameters: 'serial float8, months bigint', returns: 'float8', fails: true },
      `BEGIN RETURN cloudjar.dax_within_days(cloudjar.dax_first_of_month(cloudjar.dax_moved_month(cloudjar.dax_date_of(serial), months) + 1) - 1); END`,
    ),
    procedure(
      'weekday',
      { parameters: 'serial float8, type bigint', returns: 'bigint', fails: true },
      `DECLARE day date := cloudjar.dax_date_of(serial);
BEGIN
  RETURN CASE type WHEN 1 THEN extract(dow FROM day) + 1 WHEN 2 THEN extract(isodow FROM day) WHEN 3 THEN extract(isodow FROM day) - 1
    ELSE ${failing(outOfRange('WEEKDAY'), 'type', 'bigint')} END;
END`,
    ),
  ],
};
