import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time/units.ts';
import type { Literal } from './ast.ts';
import type { Scanner } from './scanner.ts';

const GUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![\w-])/iy;
/** An unencoded plus arrives as a space. */
const INSTANT = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,12})?)?(?:Z|[+ -]\d{2}:\d{2})(?!\w)/iy;
const DATE = /\d{4}-\d{2}-\d{2}(?![\w:-])/y;
const TIME = /\d{2}:\d{2}(?::\d{2}(?:\.\d{1,12})?)?(?![\w:])/y;
const NUMBER = /-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|INF)(?![\w.])/iy;
const WHOLE = /^-?\d+$/;
const DURATION = /^([+-])?P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i;
const LONGEST_NUMBER = 400;
const [MINUS, ZERO, NINE, CAPITAL_I, SMALL_I] = ['-', '0', '9', 'I', 'i'].map((sign) => sign.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
  number,
];
/** The number of digits in a guid before its first dash. */
const GUID_START = 8;

/** Reads a literal that begins with a digit, a minus or a hexadecimal letter; returns undefined if there is none. */
export function scanBare(scanner: Scanner): Literal | undefined {
  const { at, source } = scanner;
  const first = source.charCodeAt(at);
  const numeric = first === MINUS || (first >= ZERO && first <= NINE);
  const dashed = source.charCodeAt(at + GUID_START) === MINUS;
  // Most tokens here are names, so names are ruled out first.
  if (!numeric && !dashed && first !== CAPITAL_I && first !== SMALL_I) return undefined;
  const guid = dashed ? scanner.match(GUID) : undefined;
  if (guid !== undefined) return { kind: 'literal', type: 'guid', value: guid.toLowerCase(), at };
  const instant = scanner.match(INSTANT);
  if (instant !== undefined)
    return { kind: 'literal', type: 'instant', value: instantOf(scanner, at), text: instant, at };
  const date = scanner.match(DATE);
  if (date !== undefined) {
    if (parseDate(date) === undefined) throw scanner.error('InvalidValue', 'there is no such date', at);
    return { kind: 'literal', type: 'date', value: date, text: date, at };
  }
  const time = scanner.match(TIME);
  if (time !== undefined) {
    const value = parseTime(time);
    if (value === undefined) throw scanner.error('InvalidValue', 'there is no such time of day', at);
    return { kind: 'literal', type: 'time', value, text: time, at };
  }
  const text = scanner.match(NUMBER);
  return text === undefined ? undefined : numberLiteral(scanner, text, at);
}

export function numberLiteral(scanner: Scanner, text: string, at: number): Literal {
  if (text.length > LONGEST_NUMBER) throw scanner.error('InvalidValue', 'the number has too many digits', at);
  if (/^-?INF$/i.test(text)) {
    return { kind: 'literal', type: 'decimal', value: text.startsWith('-') ? -Infinity : Infinity, text, at };
  }
  const value = Number(text);
  if (!Number.isFinite(value)) throw scanner.error('InvalidValue', 'the number is too large', at);
  return { kind: 'literal', type: WHOLE.test(text) ? 'integer' : 'decimal', value, text, at };
}

/**
 * Reads `duration'PT1H'`, `Vendor.Color'Red'` and the quoted forms of older protocol versions. The scanner is between the name and the
 * quote.
 */
export function scanPrefixed(scanner: Scanner, name: string, at: number): Literal {
  const quoted = scanner.at;
  const value = scanner.string();
  const bad = (what: string) => scanner.error('InvalidValue', `'${value.slice(0, 40)}' is not ${what}`, quoted);
  switch (name.toLowerCase()) {
    case 'duration': {
      const duration = parseDuration(value);
      if (duration === undefined) throw bad('a duration such as PT1H30M');
      return { kind: 'literal', type: 'duration', value: duration, text: value, at };
    }
    case 'guid':
      if (!isGuid(value)) throw bad('a guid');
      return { kind: 'literal', type: 'guid', value: value.toLowerCase(), at };
    case 'datetime':
    case 'datetimeoffset': {
      const instant = parseInstant(value) ?? parseInstant(`${value}Z`);
      if (instant === undefined) throw bad('a date and time such as 2024-01-31T12:00:00Z');
      return { kind: 'literal', type: 'instant', value: instant, text: formatInstant(instant), at };
    }
    case 'binary':
    case 'geography':
    case 'geometry':
    case 'x':
      throw scanner.error('NotSupported', `a literal of the kind '${name.toLowerCase()}' is not supported`, at);
    default:
      return { kind: 'literal', type: 'enum', name, value, at };
  }
}

function instantOf(scanner: Scanner, at: number): number {
  const value = parseInstant(scanner.source.slice(at, scanner.at));
  if (value === undefined) throw scanner.error('InvalidValue', 'there is no such date and time', at);
  return value;
}

export function isGuid(text: string): boolean {
  return text.length === 36 && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** Returns the text if the day exists. */
export function parseDate(text: string): string | undefined {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!found) return undefined;
  return dayOf(Number(found[1]), Number(found[2]), Number(found[3])) === undefined ? undefined : text;
}

/** Normalises `23:59` and `23:59:59.9999999` to texts of equal length, in milliseconds. */
export function parseTime(text: string): string | undefined {
  const found = /^(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,12}))?)?$/.exec(text);
  if (!found) return undefined;
  const [, hour = '', minute = '', second = '00', fraction = ''] = found;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  return `${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}`;
}

const INSTANT_PARTS = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,12})?)?)(?:Z|([+ -])(\d{2}):(\d{2}))$/i;

/** Returns milliseconds since 1970; finer fractions are truncated. */
export function parseInstant(text: string): number | undefined {
  const found = INSTANT_PARTS.exec(text);
  const date = found && parseDate(found[1]!);
  const time = found && parseTime(found[2]!);
  if (!found || !date || !time) return undefined;
  const [, , , sign, hours = '0', minutes = '0'] = found;
  if (Number(hours) > 14 || Number(minutes) > 59) return undefined;
  const offset = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS;
  return Date.parse(`${date}T${time}Z`) - (sign === '-' ? -offset : offset);
}

export const formatInstant = (instant: number): string => new Date(instant).toISOString();

/** Returns milliseconds. */
export function parseDuration(text: string): number | undefined {
  const found = text.length > 100 ? undefined : DURATION.exec(text);
  if (!found) return undefined;
  const [, sign, days, hours, minutes, seconds] = found;
  if ([days, hours, minutes, seconds].every((part) => part === undefined) || /T$/i.test(text)) return undefined;
  const length =
    Number(days ?? 0) * DAY_MS +
    Number(hours ?? 0) * HOUR_MS +
    Number(minutes ?? 0) * MINUTE_MS +
    Math.round(Number(seconds ?? 0) * 1000);
  if (!Number.isSafeInteger(length)) return undefined;
  return sign === '-' ? -length : length;
}

function dayOf(year: number, month: number, day: number): number | undefined {
  const text = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  const value = year === 0 ? Number.NaN : Date.parse(`${text}T00:00:00.000Z`);
  // Date.parse accepts the 31st of any month.
  return Number.isNaN(value) || new Date(value).getUTCDate() !== day ? undefined : value;
}
