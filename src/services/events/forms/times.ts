/** Times that publishers write: ISO 8601 in most of its forms, kept as they were sent. */

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3})\d*)?)?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/;

/** More digits of a second than anybody has. */
const LONGEST = 48;

/** Milliseconds since 1970, or NaN where it is no date. What has no zone is UTC. */
export function readTime(text: string): number {
  const parts = text.length > LONGEST ? null : ISO.exec(text);
  if (!parts) return Number.NaN;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone] = parts;
  // A day that the month does not have would be taken for one of the next.
  if (Number(day) < 1 || Number(day) > daysOf(Number(year), Number(month))) return Number.NaN;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return Number.NaN;
  const time = (Number(hour) * 60 + Number(minute)) * 60_000 + Number(second) * 1000 + Number(fraction.padEnd(3, '0'));
  return Date.UTC(Number(year), Number(month) - 1, Number(day)) + time - offsetOf(zone);
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** 0 for a month that is none. */
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

/** Whether a text is a time as CloudEvents has it (RFC 3339): date, time of day and zone. */
export const isRfc3339 = (text: string): boolean => COMPLETE.test(text) && !Number.isNaN(readTime(text));

/** RFC 3339 to the letter, which all readers understand. */
const EXACT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** A time that `readTime` could read, in the form of RFC 3339. */
export function rfc3339(text: string): string {
  if (EXACT.test(text)) return text;
  const time = readTime(text);
  return Number.isNaN(time) ? text : new Date(time).toISOString();
}
