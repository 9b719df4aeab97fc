import { HOUR_MS, MINUTE_MS } from '../../../kernel/time/index.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Obsolete zone names of RFC 5322, section 4.3, with their offsets in hours. Military letters are ignored, as that section says. */
const ZONES: Readonly<Record<string, number>> = {
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
};

const DATE =
  /^(?:[a-z]{3,9}\.?,?\s{0,9})?(\d{1,2})[\s-]{1,9}([a-z]{3})[a-z]{0,6}\.?[\s-]{1,9}(\d{2,4})\s{1,9}(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?\s{0,9}([+-]\d{4}|[a-z]{1,5})?/i;

/** The instant of a Date header; undefined if the header is not a date. A date without a zone is UTC, never the zone of this machine. */
export function parseMailDate(header: string): number | undefined {
  const match = DATE.exec(header.trim().slice(0, 200));
  if (!match) return undefined;
  const [, day = '', monthName = '', yearText = '', hour = '', minute = '', second = '0', zone = ''] = match;
  const month = MONTHS.indexOf(monthName.toLowerCase());
  if (
    month < 0 ||
    Number(day) < 1 ||
    Number(day) > 31 ||
    Number(hour) > 23 ||
    Number(minute) > 59 ||
    Number(second) > 60
  ) {
    return undefined;
  }
  return (
    Date.UTC(fullYear(yearText), month, Number(day), Number(hour), Number(minute), Number(second)) - offsetOf(zone)
  );
}

/** RFC 5322: two-digit years below 50 are 20xx; other two-digit and three-digit years count from 1900. */
function fullYear(text: string): number {
  const year = Number(text);
  if (text.length >= 4) return Math.max(year, 100);
  return text.length === 2 && year < 50 ? 2000 + year : 1900 + year;
}

function offsetOf(zone: string): number {
  if (!/^[+-]/.test(zone)) return (ZONES[zone.toUpperCase()] ?? 0) * HOUR_MS;
  const size = Number(zone.slice(1, 3)) * HOUR_MS + Number(zone.slice(3, 5)) * MINUTE_MS;
  return zone.startsWith('-') ? -size : size;
}

const pad = (value: number): string => String(value).padStart(2, '0');

/** `Mon, 05 Jan 2026 09:00:00 +0000`. */
export function formatMailDate(instant: number): string {
  const date = new Date(instant);
  const month = MONTHS[date.getUTCMonth()] ?? '';
  const day = `${DAYS[date.getUTCDay()]}, ${pad(date.getUTCDate())} ${month.charAt(0).toUpperCase()}${month.slice(1)}`;
  const year = String(date.getUTCFullYear()).padStart(4, '0');
  return `${day} ${year} ${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}:${pad(date.getUTCSeconds())} +0000`;
}
