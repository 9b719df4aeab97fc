/** Times from publishers: ISO 8601 in most of its forms, kept as they were sent. */

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3})\d*)?)?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/;

/** Leaves room for more fractional digits than any publisher sends. */
const LONGEST = 48;

/** Returns milliseconds since 1970, or NaN if the text is not a valid time. A time without a zone is UTC. */
export function readTime(text: string): number {
  const parts = text.length > LONGEST ? null : ISO.exec(text);
  if (!parts) return Number.NaN;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone] = parts;
  // `Date` would accept a day that the month does not have and move it to the next month.
  if (Number(day) < 1 || Number(day) > daysOf(Number(year), Number(month))) return Number.NaN;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return Number.NaN;
  const time = (Number(hour) * 60 + Number(minute)) * 60_000 + Number(second) * 1000 + Number(fraction.padEnd(3, '0'));
  return Date.UTC(Number(year), Number(month) - 1, Number(day)) + time - offsetOf(zone);
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** 0 if the month does not exist. */
function daysOf(year: number, month: number): number {
  const isLeap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return isLeap ? 29 : (DAYS[month - 1] ?? 0);
}

function offsetOf(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = zone.length > 3 ? Number(zone.slice(-2)) : 0;
  if (hours > 23 || minutes > 59) return Number.NaN;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

const COMPLETE = /[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d(?::?\d\d)?)$/;

/** True if a text is a time as CloudEvents requires (RFC 3339): date, time of day and zone. */
export const isRfc3339 = (text: string): boolean => COMPLETE.test(text) && !Number.isNaN(readTime(text));

/** Strict RFC 3339, which all readers understand. */
const EXACT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** Converts a time that `readTime` accepts to RFC 3339. */
export function rfc3339(text: string): string {
  if (EXACT.test(text)) return text;
  const time = readTime(text);
  return Number.isNaN(time) ? text : new Date(time).toISOString();
}
