import { DAY_MS } from '../../../kernel/time/index.ts';

/** Days from 1899-12-30, where the numbers of dates begin, to 1970. */
const SERIAL_OF_1970 = 25_569;
/** Times are multiples of 1/300 of a second. */
const TICKS_PER_DAY = 86_400 * 300;
const TICKS_PER_MS = 0.3;
const MINUTE_MS = 60_000;
/** The last of 9999, and where dates begin: earlier ones no query could tell from a blank. */
const MOST_SERIAL = 2_958_466;

/** `2024-01-05`, `2024-01-05T13:04`, `2024-01-05 13:04:09.1234567+02:00` */
const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(\.\d{1,9})?)?\s?(Z|[+-]\d\d:?\d\d)?)?$/i;

/** `7/30/2014`, `07/30/2014 1:05 PM`, `7/30/2014 13:05:09.5` */
const US = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:[T ](\d{1,2}):(\d\d)(?::(\d\d)(\.\d{1,9})?)?\s?(AM|PM)?)?$/i;

/** A date and time as days since 1899-12-30; undefined where the text is none. A time zone is counted back to UTC. */
export function serialOf(text: string): number | undefined {
  const iso = ISO.exec(text);
  if (iso) {
    const [, year, month, day, hour, minute, second, fraction, zone] = iso;
    const ms = timeMs(hour, minute, second, fraction);
    return ms === undefined ? undefined : serial(Number(year), Number(month), Number(day), ms - zoneMs(zone));
  }
  const us = US.exec(text);
  if (!us) return undefined;
  const [, month, day, year, hour, minute, second, fraction, half] = us;
  const ms = timeMs(half === undefined ? hour : fullHour(Number(hour), half), minute, second, fraction);
  return ms === undefined ? undefined : serial(Number(year), Number(month), Number(day), ms);
}

function serial(year: number, month: number, day: number, ms: number): number | undefined {
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  const days = Date.UTC(year, month - 1, day) / DAY_MS + SERIAL_OF_1970;
  const found = days + Math.round(ms * TICKS_PER_MS) / TICKS_PER_DAY;
  return found >= 0 && found < MOST_SERIAL ? found : undefined;
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
  // Also where `fullHour` has found none.
  if (!(hours <= 23) || minutes > 59 || seconds > 59) return undefined;
  return (hours * 60 + minutes) * MINUTE_MS + (fraction === undefined ? seconds : seconds + Number(fraction)) * 1000;
}

/** Of a clock of twelve hours. */
function fullHour(hour: number, half: string): string {
  if (hour < 1 || hour > 12) return 'none';
  return String((hour % 12) + (half.toUpperCase() === 'PM' ? 12 : 0));
}

function zoneMs(zone: string | undefined): number {
  if (zone === undefined || zone.length === 1) return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return (zone.startsWith('-') ? -minutes : minutes) * MINUTE_MS;
}
