import { civilOf, dayOf, dayOfCivil, MONTHS, timeOf, WEEKDAYS, weekdayOf } from './calendar.ts';
import { longTime, shortDate, twoDigits } from './date-text.ts';
import { DATE_FORMATS, LITERAL, literalText } from './format-kinds.ts';
import { type LibraryPart, procedure, quoted } from './part.ts';

/** Date formats: runs of a letter are parts of the date or time, everything else is literal. */
const TOKEN = `${LITERAL}|[aA][mM]/[pP][mM]|[aA][mM][pP][mM]|[aA]/[pP]|[dD]+|[wW]+|[mM]+|[qQ]+|[yY]+|[hH]+|[nN]+|[sS]+|[tT]+|.`;
const TOKENS = new RegExp(TOKEN, 'gsu');
const HALVES = '^[aA]([mM]?/|[mM])[pP]';
const HALVES_PATTERN = new RegExp(HALVES);

/** Tokens for a whole date or time: `ddddd`, `dddddd` and longer, `ttttt`. */
const LONG_DATE = DATE_FORMATS['long date']!;

export function formatDate(serial: number, format: string): string {
  const named = DATE_FORMATS[format.toLowerCase()];
  if (format === '' || named === '') return generalDate(serial);
  return formatTokens(
    serial,
    [...(named ?? format).matchAll(TOKENS)].map(([token]) => token),
  );
}

/** On day 0 only the time, at midnight only the date. */
function generalDate(serial: number): string {
  const day = dayOf(serial);
  const time = timeOf(serial);
  if (time < 1000) return shortDate(day);
  return day === 0 ? longTime(time) : `${shortDate(day)} ${longTime(time)}`;
}

function formatTokens(serial: number, tokens: readonly string[]): string {
  const twelveHours = tokens.some((token) => HALVES_PATTERN.test(token));
  let afterHour = false;
  let text = '';
  for (const token of tokens) {
    const kind = /^[dwmqyhnstc]/i.test(token) ? token[0]!.toLowerCase() : '';
    text += render(serial, token, kind === 'm' && afterHour ? 'n' : kind, twelveHours);
    // After an hour, `m` means minutes, whatever the separator.
    if (kind !== '') afterHour = kind === 'h';
  }
  return text;
}

function render(serial: number, token: string, kind: string, twelveHours: boolean): string {
  const length = token.length;
  const padded = (value: number): string => (length > 1 ? twoDigits(value) : String(value));
  const day = dayOf(serial);
  const time = timeOf(serial);
  const hour = Math.floor(time / 3_600_000);
  switch (kind) {
    case 'd':
      return dayText(serial, length);
    case 'w':
      return String(length === 1 ? weekdayOf(day) + 1 : weekOf(day));
    case 'm': {
      const { month } = civilOf(day);
      return length < 3 ? padded(month) : length === 3 ? MONTHS[month - 1]!.slice(0, 3) : MONTHS[month - 1]!;
    }
    case 'q':
      return String(Math.ceil(civilOf(day).month / 3));
    case 'y': {
      const { year } = civilOf(day);
      return length === 1
        ? String(day - dayOfCivil(year, 1, 1) + 1)
        : length === 2
          ? twoDigits(year % 100)
          : String(year);
    }
    case 'h':
      return padded(twelveHours ? ((hour + 11) % 12) + 1 : hour);
    case 'n':
      return padded(Math.floor(time / 60_000) % 60);
    case 's':
      return padded(Math.floor(time / 1000) % 60);
    case 't':
      return length === 5 ? longTime(time) : token;
    case 'c':
      return generalDate(serial);
    default:
      return HALVES_PATTERN.test(token) ? halfText(token, hour) : literalText(token);
  }
}

function dayText(serial: number, length: number): string {
  const day = dayOf(serial);
  const weekday = WEEKDAYS[weekdayOf(day)]!;
  const number = String(civilOf(day).day);
  if (length >= 6) return formatDate(serial, LONG_DATE);
  return [number, number.padStart(2, '0'), weekday.slice(0, 3), weekday, shortDate(day)][length - 1]!;
}

/** Weeks begin on Sunday; the first week begins on 1 January. */
function weekOf(day: number): number {
  const january = dayOfCivil(civilOf(day).year, 1, 1);
  return Math.floor((day - january + weekdayOf(january)) / 7) + 1;
}

/** AM or PM in the letters of the format: `AM/PM`, `am/pm`, `A/P`, `AMPM`. */
function halfText(token: string, hour: number): string {
  const half = Math.floor(token.length / 2);
  return hour < 12 ? token.slice(0, half) : token.slice(-half);
}

const array = (names: readonly string[]): string => `(${quoted(`{${names}}`)}::text[])`;

/**
 * Templates of PostgreSQL's `to_char` for the tokens that it supports. If the format is a constant, as it usually is, so is its template:
 * the planner builds it once per statement.
 */
const TEMPLATES: Readonly<Record<string, string>> = {
  ...{ d: 'FMDD', dd: 'DD', ddd: 'Dy', dddd: 'FMDay', w: 'D', q: 'Q', y: 'FMDDD', yy: 'YY', yyyy: 'FMYYYY' },
  ...{ m: 'FMMM', mm: 'MM', mmm: 'Mon', mmmm: 'FMMonth', n: 'FMMI', nn: 'MI', s: 'FMSS', ss: 'SS' },
};
const CASES = Object.entries(TEMPLATES)
  .map(([token, template]) => `WHEN '${token}' THEN '${template}'`)
  .join(' ');

export const FORMAT_DATE: LibraryPart = {
  functions: {},
  postgres: [
    procedure(
      'general_date',
      { parameters: 'serial float8', returns: 'text', fails: true },
      `DECLARE
  day date := cloudjar.dax_date_of(serial);
  ms bigint := cloudjar.dax_time_of(serial);
BEGIN
  IF ms < 1000 THEN RETURN cloudjar.dax_short_date(day); END IF;
  RETURN CASE WHEN day = date '1899-12-30' THEN '' ELSE cloudjar.dax_short_date(day) || ' ' END || cloudjar.dax_long_time(ms);
END`,
    ),
    // Returns NULL if a template cannot express the format.
    procedure(
      'date_template',
      { parameters: 'format text', returns: 'text' },
      `DECLARE
  token text;
  after_hour boolean := false;
  template text := '';
  part text;
BEGIN
  FOREACH token IN ARRAY cloudjar.dax_tokens(coalesce(cloudjar.dax_named_date_format(cloudjar.fn_tolower(format)), format), '${TOKEN}') LOOP
    part := lower(token COLLATE "C");
    IF part ~ '^[tc]' OR part ~ '${HALVES}' THEN RETURN NULL; END IF;
    IF part ~ '^[dwmqyhns]' THEN
      part := CASE WHEN after_hour THEN replace(part, 'm', 'n') ELSE part END;
      after_hour := part LIKE 'h%';
      part := CASE part ${CASES} WHEN 'h' THEN 'FMHH24' WHEN 'hh' THEN 'HH24' END;
      IF part IS NULL THEN RETURN NULL; END IF;
      -- Without quotes between them, two parts could be read as one.
      template := template || part || '""';
    ELSE
      template := template || '"' || regexp_replace(cloudjar.dax_literal_text(token), '(["\\\\])', '\\\\\\1', 'g') || '"';
    END IF;
  END LOOP;
  RETURN nullif(template, '');
END`,
    ),
    procedure(
      'format_as_date',
      { parameters: 'serial float8, format text', returns: 'text', fails: true },
      `DECLARE
  named text := cloudjar.dax_named_date_format(cloudjar.fn_tolower(format));
  tokens text[];
  token text;
  kind text;
  size int;
  twelve_hours boolean;
  after_hour boolean := false;
  part text;
  d date := cloudjar.dax_date_of(serial);
  ms bigint := cloudjar.dax_time_of(serial);
  hour int := ms / 3600000;
  month_name text := ${array(MONTHS)}[extract(month FROM d)::int];
  weekday_name text := ${array(WEEKDAYS)}[extract(dow FROM d)::int + 1];
  written text := '';
BEGIN
  IF format = '' OR named = '' THEN RETURN cloudjar.dax_general_date(serial); END IF;
  tokens := cloudjar.dax_tokens(coalesce(named, format), '${TOKEN}');
  twelve_hours := EXISTS (SELECT FROM unnest(tokens) AS t WHERE t ~ '${HALVES}');
  FOREACH token IN ARRAY tokens LOOP
    kind := CASE WHEN token ~ '^[dwmqyhnstcDWMQYHNSTC]' THEN lower(left(token, 1) COLLATE "C") ELSE '' END;
    size := char_length(token);
    part := CASE CASE WHEN kind = 'm' AND after_hour THEN 'n' ELSE kind END
      WHEN 'd' THEN CASE WHEN size <= 2 THEN extract(day FROM d)::text WHEN size = 3 THEN left(weekday_name, 3) WHEN size = 4 THEN weekday_name
        WHEN size = 5 THEN cloudjar.dax_short_date(d) ELSE cloudjar.dax_format_as_date(serial, '${LONG_DATE}') END
      WHEN 'w' THEN CASE WHEN size = 1 THEN (extract(dow FROM d) + 1)::text ELSE cloudjar.dax_weeknum(serial, 1)::text END
      WHEN 'm' THEN CASE WHEN size <= 2 THEN extract(month FROM d)::text WHEN size = 3 THEN left(month_name, 3) ELSE month_name END
      WHEN 'q' THEN extract(quarter FROM d)::text
      WHEN 'y' THEN CASE WHEN size = 1 THEN extract(doy FROM d)::text WHEN size = 2 THEN (extract(year FROM d)::int % 100)::text ELSE extract(year FROM d)::text END
      WHEN 'h' THEN CASE WHEN twelve_hours THEN (hour + 11) % 12 + 1 ELSE hour END::text
      WHEN 'n' THEN (ms / 60000 % 60)::text
      WHEN 's' THEN (ms / 1000 % 60)::text
      WHEN 't' THEN CASE WHEN size = 5 THEN cloudjar.dax_long_time(ms) ELSE token END
      WHEN 'c' THEN cloudjar.dax_general_date(serial)
      ELSE CASE WHEN token !~ '${HALVES}' THEN cloudjar.dax_literal_text(token) WHEN hour < 12 THEN left(token, size / 2) ELSE right(token, size / 2) END END;
    IF size > 1 AND char_length(part) = 1 AND (kind IN ('d', 'm', 'y', 'h', 'n', 's') AND (size = 2 OR kind IN ('h', 'n', 's') OR after_hour)) THEN part := '0' || part; END IF;
    written := written || part;
    IF kind <> '' THEN after_hour := kind = 'h'; END IF;
  END LOOP;
  RETURN written;
END`,
    ),
  ],
};
