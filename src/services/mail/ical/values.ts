import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/time/index.ts';
import type { Wall } from '../zones/wall.ts';

/** A DATE or DATE-TIME value before its zone is resolved. */
export interface WrittenDate {
  readonly wall: Wall;
  readonly isDate: boolean;
  readonly isUtc: boolean;
}

/** The basic form, and the extended form (`2026-01-05T09:00:00Z`) that some generators write. */
const DATE_TIME =
  /^(\d{4})-?(\d{2})-?(\d{2})(?:[Tt ](\d{2}):?(\d{2})(?::?(\d{2}))?(?:[.,]\d{1,9})?([Zz]|[+-]\d{2}:?\d{2})?)?$/;

/** Parses a date or a time. Returns undefined if the value is neither, or if its day does not exist. */
export function parseDateValue(value: string): WrittenDate | undefined {
  const match = DATE_TIME.exec(value.trim());
  if (!match) return undefined;
  const [, year = '', month = '', day = '', hour, minute = '0', second = '0', zone] = match;
  const midnight = midnightOf(Number(year), Number(month), Number(day));
  if (midnight === undefined) return undefined;
  if (hour === undefined) return { wall: midnight, isDate: true, isUtc: false };
  // 24:00:00 and leap seconds occur; both are computed arithmetically.
  if (Number(hour) > 24 || Number(minute) > 59 || Number(second) > 60) return undefined;
  const wall = midnight + Number(hour) * HOUR_MS + Number(minute) * MINUTE_MS + Number(second) * SECOND_MS;
  return { wall: wall - offsetOf(zone), isDate: false, isUtc: zone !== undefined };
}

/** RFC 5545 has no offsets in times, but RFC 3339 has: such a time is read as its instant. */
function offsetOf(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0;
  const size = Number(zone.slice(1, 3)) * HOUR_MS + Number(zone.slice(-2)) * MINUTE_MS;
  return zone.startsWith('-') ? -size : size;
}

function midnightOf(year: number, month: number, day: number): Wall | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isReal = year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? date.getTime() : undefined;
}

const pad = (value: number, digits: number): string => String(value).padStart(digits, '0');

/** `20260105`. */
export function formatDate(wall: Wall): string {
  const date = new Date(wall);
  return pad(date.getUTCFullYear(), 4) + pad(date.getUTCMonth() + 1, 2) + pad(date.getUTCDate(), 2);
}

/** `20260105T090000`; iCalendar cannot express fractions of seconds. */
export function formatDateTime(wall: Wall): string {
  const date = new Date(wall);
  return `${formatDate(wall)}T${pad(date.getUTCHours(), 2)}${pad(date.getUTCMinutes(), 2)}${pad(date.getUTCSeconds(), 2)}`;
}

/** DURATION in milliseconds. Days follow the wall clock, smaller units are exact (RFC 5545, section 3.3.6). */
export interface WrittenDuration {
  readonly days: number;
  readonly exact: number;
}

const DURATION = /^([+-])?P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,8})H)?(?:(\d{1,8})M)?(?:(\d{1,10})S)?)?$/i;

/** Parses a duration. Returns undefined if the value is not one, or is negative, which no event can be. */
export function parseDuration(value: string): WrittenDuration | undefined {
  const match = DURATION.exec(value.trim());
  if (!match || match[1] === '-') return undefined;
  const [weeks, days, hours, minutes, seconds] = match.slice(2).map((digits) => Number(digits ?? 0));
  return {
    days: ((weeks ?? 0) * 7 + (days ?? 0)) * DAY_MS,
    exact: (hours ?? 0) * HOUR_MS + (minutes ?? 0) * MINUTE_MS + (seconds ?? 0) * SECOND_MS,
  };
}

const UTC_OFFSET = /^([+-])(\d{2}):?(\d{2})(?::?(\d{2}))?$/;

/** Parses TZOFFSETFROM and TZOFFSETTO: milliseconds east of UTC. */
export function parseOffset(value: string): number | undefined {
  const [, sign, hours, minutes, seconds = '0'] = UTC_OFFSET.exec(value.trim()) ?? [];
  if (sign === undefined) return undefined;
  const size = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * SECOND_MS;
  return sign === '-' ? -size : size;
}

/** Unescapes TEXT: RFC 5545 has four escapes; a backslash before any other character is kept. */
export function unescapeText(value: string): string {
  return value.includes('\\')
    ? value.replace(/\\[\\;,nN]/g, (pair) => (pair === '\\n' || pair === '\\N' ? '\n' : pair.slice(1)))
    : value;
}

/** Splits a comma-separated list of TEXT, for CATEGORIES. */
export function splitTexts(value: string): string[] {
  return (value.match(/(?:\\.|[^\\,])+|\\$/gs) ?? [])
    .map((piece) => unescapeText(piece).trim())
    .filter((piece) => piece !== '');
}

export function parseInteger(value: string): number | undefined {
  return /^\s*[+-]?\d{1,10}\s*$/.test(value) ? Number(value) : undefined;
}

export function parseBoolean(value: string | undefined): boolean | undefined {
  const word = value?.trim().toUpperCase();
  if (word === 'TRUE' || word === 'YES') return true;
  return word === 'FALSE' || word === 'NO' ? false : undefined;
}
