import { type CivilDate, civilOf, dayOf, dayOfCivil, daysInMonth, millisecondsOf, weekdayOf } from './calendar.ts';
import { fail, outOfRange } from './failures.ts';
import { inlined, type LibraryPart, number, procedure, quoted, strict, text } from './part.ts';

/** Week numbers, and intervals between dates. */

/** The first day of a week for each WEEKNUM type; Sunday is 0. */
const FIRST_WEEKDAYS: Readonly<Record<number, number>> = {
  1: 0,
  2: 1,
  11: 1,
  12: 2,
  13: 3,
  14: 4,
  15: 5,
  16: 6,
  17: 0,
};
/** ISO 8601: weeks begin on Monday and belong to the year of their Thursday. */
const ISO_WEEKS = 21;

function weekNumber(serial: number, type: number): bigint {
  const day = dayOf(serial);
  if (type === ISO_WEEKS) {
    const thursday = day - ((weekdayOf(day) + 6) % 7) + 3;
    return BigInt(Math.floor((thursday - dayOfCivil(civilOf(thursday).year, 1, 1)) / 7) + 1);
  }
  const first = FIRST_WEEKDAYS[type] ?? fail(outOfRange('WEEKNUM'));
  const january = dayOfCivil(civilOf(day).year, 1, 1);
  const before = (weekdayOf(january) - first + 7) % 7;
  return BigInt(Math.floor((day - january + before) / 7) + 1);
}

/**
 * Counts intervals from a fixed origin up to a date; the difference of two counts is the number of interval boundaries between the dates.
 */
const COUNTS: Readonly<Record<string, (serial: number) => number>> = {
  SECOND: (serial) => Math.floor(millisecondsOf(serial) / 1000),
  MINUTE: (serial) => Math.floor(millisecondsOf(serial) / 60_000),
  HOUR: (serial) => Math.floor(millisecondsOf(serial) / 3_600_000),
  DAY: dayOf,
  /** Day 1 is a Sunday. */
  WEEK: (serial) => Math.floor((dayOf(serial) - 1) / 7),
  MONTH: (serial) => monthsOf(civilOf(dayOf(serial))),
  QUARTER: (serial) => Math.floor(monthsOf(civilOf(dayOf(serial))) / 3),
  YEAR: (serial) => civilOf(dayOf(serial)).year,
};

export const INTERVALS: readonly string[] = Object.keys(COUNTS);

const monthsOf = ({ year, month }: CivilDate): number => year * 12 + month - 1;

function difference(from: number, to: number, interval: string): bigint {
  dayOf(from);
  dayOf(to);
  const count = COUNTS[interval] ?? fail(outOfRange('DATEDIFF'));
  return BigInt(count(to) - count(from));
}

function yearFraction(start: number, end: number, basis: number): number {
  const [first, last] = [dayOf(start), dayOf(end)].sort((a, b) => a - b) as [number, number];
  switch (basis) {
    case 0:
      return thirtyDayMonths(civilOf(first), civilOf(last), true) / 360;
    case 1:
      return (last - first) / averageYear(first, last);
    case 2:
      return (last - first) / 360;
    case 3:
      return (last - first) / 365;
    case 4:
      return thirtyDayMonths(civilOf(first), civilOf(last), false) / 360;
    default:
      return fail(outOfRange('YEARFRAC'));
  }
}

/** Days between two dates in a calendar with 30-day months. The American rules adjust more month ends than the European rules. */
function thirtyDayMonths(first: CivilDate, last: CivilDate, american: boolean): number {
  let from = first.day;
  let to = last.day;
  if (american) {
    if (isLastOfFebruary(first)) {
      if (isLastOfFebruary(last)) to = 30;
      from = 30;
    }
    if (to === 31 && from >= 30) to = 30;
    from = Math.min(from, 30);
  } else {
    from = Math.min(from, 30);
    to = Math.min(to, 30);
  }
  return (last.year - first.year) * 360 + (last.month - first.month) * 30 + to - from;
}

const isLastOfFebruary = ({ year, month, day }: CivilDate): boolean => month === 2 && day === daysInMonth(year, 2);

/**
 * Days per year: for up to one year, 366 if a leap day lies in the period; for longer periods, the average over the calendar years in it.
 */
function averageYear(firstDay: number, lastDay: number): number {
  const first = civilOf(firstDay);
  const last = civilOf(lastDay);
  if (lastDay > dayOfCivil(first.year + 1, first.month, first.day)) {
    return (dayOfCivil(last.year + 1, 1, 1) - dayOfCivil(first.year, 1, 1)) / (last.year - first.year + 1);
  }
  if (first.year === last.year) return daysInMonth(first.year, 2) + 337;
  for (const year of [first.year, last.year]) {
    const leapDay = dayOfCivil(year, 2, 29);
    if (daysInMonth(year, 2) === 29 && firstDay <= leapDay && leapDay <= lastDay) return 366;
  }
  return 365;
}

const bigints = { returns: 'bigint', fails: true } as const;

export const PERIODS: LibraryPart = {
  functions: {
    dax_weeknum: strict.two(number, number, weekNumber),
    dax_datediff: strict.three(number, number, text, difference),
    dax_yearfrac: strict.three(number, number, number, yearFraction),
  },
  postgres: [
    procedure(
      'weeknum',
      { parameters: 'serial float8, type bigint', ...bigints },
      `DECLARE
  day date := cloudjar.dax_date_of(serial);
  january date := date_trunc('year', day::timestamp)::date;
  first int := CASE type ${Object.entries(FIRST_WEEKDAYS)
    .map(([type, first]) => `WHEN ${type} THEN ${first}`)
    .join(' ')} END;
BEGIN
  IF type = ${ISO_WEEKS} THEN RETURN extract(week FROM day); END IF;
  IF first IS NULL THEN PERFORM cloudjar.dax_fail(${quoted(outOfRange('WEEKNUM'))}, ''); END IF;
  RETURN (day - january + (extract(dow FROM january)::int - first + 7) % 7) / 7 + 1;
END`,
    ),
    inlined(
      'months_of',
      { parameters: 'serial float8', ...bigints },
      'cloudjar.dax_year(serial) * 12 + cloudjar.dax_month(serial) - 1',
    ),
    procedure(
      'interval_count',
      { parameters: 'serial float8, unit text', ...bigints },
      `DECLARE
  day int := cloudjar.dax_date_of(serial) - date '1899-12-30';
  ms float8 := floor(serial * 86400000.0 + 0.5);
BEGIN
  RETURN CASE unit WHEN 'SECOND' THEN floor(ms / 1000)::bigint WHEN 'MINUTE' THEN floor(ms / 60000)::bigint WHEN 'HOUR' THEN floor(ms / 3600000)::bigint
    WHEN 'DAY' THEN day WHEN 'WEEK' THEN floor((day - 1) / 7::float8)::bigint WHEN 'MONTH' THEN cloudjar.dax_months_of(serial)
    WHEN 'QUARTER' THEN cloudjar.dax_months_of(serial) / 3 WHEN 'YEAR' THEN cloudjar.dax_year(serial)
    ELSE cloudjar.dax_fail(${quoted(outOfRange('DATEDIFF'))}, unit)::bigint END;
END`,
    ),
    procedure(
      'datediff',
      { parameters: 'a float8, b float8, unit text', ...bigints },
      'BEGIN RETURN -(cloudjar.dax_interval_count(a, unit) - cloudjar.dax_interval_count(b, unit)); END',
    ),
    inlined(
      'days_of_year',
      { parameters: 'year int', returns: 'int' },
      'make_date(year + 1, 1, 1) - make_date(year, 1, 1)',
    ),
    procedure(
      'thirty_day_months',
      { parameters: 'a date, b date, american boolean', returns: 'int' },
      `DECLARE
  a_day int := extract(day FROM a);
  b_day int := extract(day FROM b);
BEGIN
  IF american THEN
    IF extract(month FROM a) = 2 AND extract(month FROM a + 1) = 3 THEN
      IF extract(month FROM b) = 2 AND extract(month FROM b + 1) = 3 THEN b_day := 30; END IF;
      a_day := 30;
    END IF;
    IF b_day = 31 AND a_day >= 30 THEN b_day := 30; END IF;
    a_day := least(a_day, 30);
  ELSE
    a_day := least(a_day, 30);
    b_day := least(b_day, 30);
  END IF;
  RETURN (extract(year FROM b)::int - extract(year FROM a)::int) * 360 + (extract(month FROM b)::int - extract(month FROM a)::int) * 30 + b_day - a_day;
END`,
    ),
    procedure(
      'average_year',
      { parameters: 'a date, b date', returns: 'float8' },
      `DECLARE
  first int := extract(year FROM a);
  last int := extract(year FROM b);
  leap int;
BEGIN
  IF b > make_date(first + 1, extract(month FROM a)::int, 1) + extract(day FROM a)::int - 1 THEN
    RETURN (make_date(last + 1, 1, 1) - make_date(first, 1, 1)) / (last - first + 1)::float8;
  END IF;
  IF first = last THEN RETURN cloudjar.dax_days_of_year(first); END IF;
  FOREACH leap IN ARRAY ARRAY[first, last] LOOP
    IF cloudjar.dax_days_of_year(leap) = 366 THEN
      IF make_date(leap, 2, 29) BETWEEN a AND b THEN RETURN 366; END IF;
    END IF;
  END LOOP;
  RETURN 365;
END`,
    ),
    procedure(
      'yearfrac',
      { parameters: 'a float8, b float8, basis bigint', returns: 'float8', fails: true },
      `DECLARE
  first date := cloudjar.dax_date_of(a);
  last date := cloudjar.dax_date_of(b);
BEGIN
  IF first > last THEN RETURN cloudjar.dax_yearfrac(b, a, basis); END IF;
  RETURN CASE basis WHEN 0 THEN cloudjar.dax_thirty_day_months(first, last, true) / 360::float8
    WHEN 1 THEN (last - first) / cloudjar.dax_average_year(first, last)
    WHEN 2 THEN (last - first) / 360::float8
    WHEN 3 THEN (last - first) / 365::float8
    WHEN 4 THEN cloudjar.dax_thirty_day_months(first, last, false) / 360::float8
    ELSE cloudjar.dax_fail(${quoted(outOfRange('YEARFRAC'))}, '')::float8 END;
END`,
    ),
  ],
};
