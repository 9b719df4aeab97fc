import { END_OF_SERIALS, SERIAL_OF_1970 } from '../../../kernel/store/index.ts';

/** Times are rounded to 1/300 of a second. */
const TICKS_PER_DAY = 86_400 * 300;
const TICKS_PER_MS = 0.3;
const MINUTE_MS = 60_000;
const FURTHEST_ZONE_MINUTES = 14 * 60;

/** Matches `2024-01-05 13:04:09.1234567+02:00` and everything that `plainIso` accepts. */
const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(\.\d{1,9})?)?\s?(Z|[+-]\d\d:?\d\d)?)?$/i;

/** Matches `7/30/2014`, `07/30/2014 1:05 PM` and `7/30/2014 13:05:09.5`. */
const US = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:[T ](\d{1,2}):(\d\d)(?::(\d\d)(\.\d{1,9})?)?\s?(AM|PM)?)?$/i;

/** A date and time as days since 1899-12-30, converted to UTC if it has a time zone. Returns undefined if the text is not a date. */
export function serialOf(text: string): number | undefined {
  return plainIso(text) ?? anyIso(text) ?? american(text);
}

const ZERO = 0x30;
const DASH = 0x2d;
const COLON = 0x3a;
const POINT = 0x2e;
const LETTER_T = 0x54;
const LETTER_Z = 0x5a;

/**
 * Parses the usual output of programs without a regular expression: `2024-01-05`, `2024-01-05T13:04:09`, `2024-01-05T13:04:09.123`, the
 * last two with or without `Z`.
 */
function plainIso(text: string): number | undefined {
  let { length } = text;
  if (length > 10 && text.charCodeAt(length - 1) === LETTER_Z) length--;
  if (length !== 10 && length !== 19 && length !== 23) return undefined;
  if (text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH) return undefined;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  let ms = 0;
  if (length > 10) {
    if (text.charCodeAt(10) !== LETTER_T || text.charCodeAt(13) !== COLON || text.charCodeAt(16) !== COLON)
      return undefined;
    const [hours, minutes, seconds] = [twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17)];
    if (!(hours <= 23 && minutes <= 59 && seconds <= 59)) return undefined;
    ms = ((hours * 60 + minutes) * 60 + seconds) * 1000;
    if (length === 23) {
      if (text.charCodeAt(19) !== POINT) return undefined;
      ms += twoDigits(text, 20) * 10 + digit(text, 22);
    }
  }
  return serial(year, twoDigits(text, 5), twoDigits(text, 8), ms);
}

/** Returns NaN if the character is not a digit, so that every comparison with it is false. */
function digit(text: string, at: number): number {
  const value = text.charCodeAt(at) - ZERO;
  return value >= 0 && value <= 9 ? value : Number.NaN;
}

const twoDigits = (text: string, at: number): number => digit(text, at) * 10 + digit(text, at + 1);

function anyIso(text: string): number | undefined {
  const iso = ISO.exec(text);
  if (!iso) return undefined;
  const [, year, month, day, hour, minute, second, fraction, zone] = iso;
  const ms = timeMs(hour, minute, second, fraction);
  const offset = zoneMs(zone);
  if (ms === undefined || offset === undefined) return undefined;
  return serial(Number(year), Number(month), Number(day), ms - offset);
}

function american(text: string): number | undefined {
  const us = US.exec(text);
  if (!us) return undefined;
  const [, month, day, year, hour, minute, second, fraction, half] = us;
  const ms = timeMs(half === undefined ? hour : fullHour(Number(hour), half), minute, second, fraction);
  return ms === undefined ? undefined : serial(Number(year), Number(month), Number(day), ms);
}

function serial(year: number, month: number, day: number, ms: number): number | undefined {
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month))) return undefined;
  const found = dayNumber(year, month, day) + SERIAL_OF_1970 + Math.round(ms * TICKS_PER_MS) / TICKS_PER_DAY;
  return found >= 0 && found < END_OF_SERIALS ? found : undefined;
}

/** Days since 1970-01-01. The internal year begins in March, so that a leap day is its last day. */
function dayNumber(year: number, month: number, day: number): number {
  const y = month > 2 ? year : year - 1;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return y * 365 + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + dayOfYear - 719_468;
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

function timeMs(
  hour: string | undefined,
  minute: string | undefined,
  second: string | undefined,
  fraction: string | undefined,
): number | undefined {
  if (hour === undefined || minute === undefined) return 0;
  const [hours, minutes, seconds] = [Number(hour), Number(minute), second === undefined ? 0 : Number(second)];
  // Also rejects NaN, which an invalid `fullHour` gives.
  if (!(hours <= 23) || minutes > 59 || seconds > 59) return undefined;
  return (hours * 60 + minutes) * MINUTE_MS + (fraction === undefined ? seconds : seconds + Number(fraction)) * 1000;
}

/** Converts an hour of a 12-hour clock. */
function fullHour(hour: number, half: string): string {
  if (hour < 1 || hour > 12) return 'none';
  return String((hour % 12) + (half.toUpperCase() === 'PM' ? 12 : 0));
}

/** No time zone is further from UTC than 14 hours. */
function zoneMs(zone: string | undefined): number | undefined {
  if (zone === undefined || zone.length === 1) return 0;
  const ofHour = Number(zone.slice(-2));
  const minutes = Number(zone.slice(1, 3)) * 60 + ofHour;
  if (ofHour > 59 || minutes > FURTHEST_ZONE_MINUTES) return undefined;
  return (zone.startsWith('-') ? -minutes : minutes) * MINUTE_MS;
}
