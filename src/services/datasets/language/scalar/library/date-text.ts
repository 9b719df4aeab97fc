import { civilOf, DAY_MS, dayOf, dayOfCivil, daysInMonth, fullYear, MONTHS, timeOf } from './calendar.ts';
import { trimmed } from './number-text.ts';
import { type LibraryPart, number, procedure, quoted, strict } from './part.ts';

/** Parses dates and times in US notation and in the forms of ISO 8601. */
const LONGEST = 100;
const REST = '(?:(?:[Tt]| +)([0-9].*))?$';
const YEAR_FIRST = `^([0-9]{4})[-/]([0-9]{1,2})[-/]([0-9]{1,2})${REST}`;
const MONTH_FIRST = `^([0-9]{1,2})[-/]([0-9]{1,2})[-/]([0-9]{4}|[0-9]{2})${REST}`;
const MONTH_NAME_FIRST = `^([A-Za-z]{3,9})[.]? +([0-9]{1,2}),? +([0-9]{4}|[0-9]{2})${REST}`;
const DAY_FIRST = `^([0-9]{1,2})[- ]([A-Za-z]{3,9})[.]?[- ,] *([0-9]{4}|[0-9]{2})${REST}`;
const TIME = '^([0-9]{1,2})(?::([0-9]{2})(?::([0-9]{2})(?:[.]([0-9]{1,7}))?)?)?(?: *([AaPp])[Mm])?[Zz]?$';

const YEAR_FIRST_PATTERN = new RegExp(YEAR_FIRST, 's');
const MONTH_FIRST_PATTERN = new RegExp(MONTH_FIRST, 's');
const MONTH_NAME_FIRST_PATTERN = new RegExp(MONTH_NAME_FIRST, 's');
const DAY_FIRST_PATTERN = new RegExp(DAY_FIRST, 's');
const TIME_PATTERN = new RegExp(TIME);

const LOWER_MONTHS = MONTHS.map((name) => name.toLowerCase());

/** The serial number of a date, a time or both in a text. Returns undefined if the text is neither. */
export function dateInText(value: string): number | undefined {
  const written = value.length > LONGEST ? undefined : trimmed(value);
  if (written === undefined) return undefined;
  const found = civilInText(written);
  if (!found) {
    const time = timeInText(written);
    return time === undefined ? undefined : time / DAY_MS;
  }
  const { month, day, rest } = found;
  const year = fullYear(found.year);
  if (year < 100 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  const time = rest === undefined ? 0 : timeInText(rest);
  return time === undefined ? undefined : (dayOfCivil(year, month, day) * DAY_MS + time) / DAY_MS;
}

interface Found {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly rest: string | undefined;
}

function civilInText(written: string): Found | undefined {
  let parts = YEAR_FIRST_PATTERN.exec(written);
  if (parts) return { year: Number(parts[1]), month: Number(parts[2]), day: Number(parts[3]), rest: parts[4] };
  parts = MONTH_FIRST_PATTERN.exec(written);
  if (parts) return { year: Number(parts[3]), month: Number(parts[1]), day: Number(parts[2]), rest: parts[4] };
  parts = MONTH_NAME_FIRST_PATTERN.exec(written);
  if (parts) return { year: Number(parts[3]), month: monthOf(parts[1]!), day: Number(parts[2]), rest: parts[4] };
  parts = DAY_FIRST_PATTERN.exec(written);
  if (parts) return { year: Number(parts[3]), month: monthOf(parts[2]!), day: Number(parts[1]), rest: parts[4] };
  return undefined;
}

/** Matches a prefix of a month name with at least three letters. Returns 0 if no month matches. */
const monthOf = (name: string): number => LOWER_MONTHS.findIndex((month) => month.startsWith(name.toLowerCase())) + 1;

/** Milliseconds since midnight. An hour without minutes is a time only with AM or PM. */
function timeInText(written: string): number | undefined {
  const parts = TIME_PATTERN.exec(written);
  if (!parts) return undefined;
  const half = parts[5]?.toUpperCase();
  if (parts[2] === undefined && half === undefined) return undefined;
  let hour = Number(parts[1]);
  const minute = Number(parts[2] ?? 0);
  const second = Number(parts[3] ?? 0);
  if (hour > (half === undefined ? 23 : 12) || minute > 59 || second > 59) return undefined;
  if (half !== undefined) hour = (hour % 12) + (half === 'P' ? 12 : 0);
  return ((hour * 60 + minute) * 60 + second) * 1000 + Number((parts[4] ?? '').padEnd(3, '0').slice(0, 3));
}

export const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** `1/5/2024` */
export function shortDate(day: number): string {
  const civil = civilOf(day);
  return `${civil.month}/${civil.day}/${civil.year}`;
}

/** `1:04:09 PM` */
export function longTime(time: number): string {
  const hour = Math.floor(time / 3_600_000);
  const minute = twoDigits(Math.floor(time / 60_000) % 60);
  const second = twoDigits(Math.floor(time / 1000) % 60);
  return `${hour % 12 === 0 ? 12 : hour % 12}:${minute}:${second} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** The short date, followed by the time unless it is midnight. */
export function dateText(serial: number): string {
  const time = timeOf(serial);
  const date = shortDate(dayOf(serial));
  return time < 1000 ? date : `${date} ${longTime(time)}`;
}

export const DATE_TEXT: LibraryPart = {
  functions: { dax_date_text: strict.one(number, dateText) },
  postgres: [
    procedure(
      'short_date',
      { parameters: 'day date', returns: 'text' },
      `BEGIN RETURN extract(month FROM day) || '/' || extract(day FROM day) || '/' || extract(year FROM day); END`,
    ),
    procedure(
      'long_time',
      { parameters: 'ms bigint', returns: 'text' },
      `BEGIN RETURN CASE WHEN ms / 3600000 % 12 = 0 THEN 12 ELSE ms / 3600000 % 12 END || ':' || lpad((ms / 60000 % 60)::text, 2, '0')
    || ':' || lpad((ms / 1000 % 60)::text, 2, '0') || CASE WHEN ms < 43200000 THEN ' AM' ELSE ' PM' END; END`,
    ),
    procedure(
      'date_text',
      { parameters: 'serial float8', returns: 'text', fails: true },
      `DECLARE ms bigint := cloudjar.dax_time_of(serial);
BEGIN RETURN cloudjar.dax_short_date(cloudjar.dax_date_of(serial)) || CASE WHEN ms < 1000 THEN '' ELSE ' ' || cloudjar.dax_long_time(ms) END; END`,
    ),
    procedure(
      'time_in_text',
      { parameters: 'written text', returns: 'bigint' },
      `DECLARE
  parts text[] := regexp_match(written, '${TIME}');
  half text := upper(parts[5]);
  hour int := parts[1]::int;
  minute int := coalesce(parts[2], '0')::int;
  second int := coalesce(parts[3], '0')::int;
BEGIN
  IF parts IS NULL OR parts[2] IS NULL AND half IS NULL THEN RETURN NULL; END IF;
  IF hour > (CASE WHEN half IS NULL THEN 23 ELSE 12 END) OR minute > 59 OR second > 59 THEN RETURN NULL; END IF;
  IF half IS NOT NULL THEN hour := hour % 12 + CASE half WHEN 'P' THEN 12 ELSE 0 END; END IF;
  RETURN ((hour * 60 + minute) * 60 + second) * 1000 + left(rpad(coalesce(parts[4], ''), 3, '0'), 3)::int;
END`,
    ),
    procedure(
      'month_of',
      { parameters: 'name text', returns: 'int' },
      `BEGIN RETURN coalesce((SELECT n FROM unnest(${quoted(`{${LOWER_MONTHS}}`)}::text[]) WITH ORDINALITY AS months(month, n)
  WHERE starts_with(month, lower(name COLLATE "C"))), 0); END`,
    ),
    procedure(
      'date_in_text',
      { parameters: 'value text', returns: 'float8' },
      `DECLARE
  written text := CASE WHEN cloudjar.dax_len(value) <= ${LONGEST} THEN cloudjar.dax_trimmed(value) END;
  parts text[];
  y int;
  m int;
  d int;
  ms bigint;
BEGIN
  parts := regexp_match(written, '${YEAR_FIRST}');
  IF parts IS NOT NULL THEN
    y := parts[1]; m := parts[2]; d := parts[3];
  ELSE
    parts := regexp_match(written, '${MONTH_FIRST}');
    IF parts IS NOT NULL THEN
      y := parts[3]; m := parts[1]; d := parts[2];
    ELSE
      parts := regexp_match(written, '${MONTH_NAME_FIRST}');
      IF parts IS NOT NULL THEN
        y := parts[3]; m := cloudjar.dax_month_of(parts[1]); d := parts[2];
      ELSE
        parts := regexp_match(written, '${DAY_FIRST}');
        IF parts IS NULL THEN RETURN cloudjar.dax_time_in_text(written) / ${DAY_MS}::float8; END IF;
        y := parts[3]; m := cloudjar.dax_month_of(parts[2]); d := parts[1];
      END IF;
    END IF;
  END IF;
  y := y + CASE WHEN y < 50 THEN 2000 WHEN y < 100 THEN 1900 ELSE 0 END;
  IF m < 1 OR m > 12 OR d < 1 OR d > extract(day FROM make_date(y, m, 1) + interval '1 month - 1 day') THEN RETURN NULL; END IF;
  ms := CASE WHEN parts[4] IS NULL THEN 0 ELSE cloudjar.dax_time_in_text(parts[4]) END;
  RETURN ((make_date(y, m, d) - date '1899-12-30') * ${DAY_MS}::bigint + ms) / ${DAY_MS}::float8;
END`,
    ),
  ],
};
