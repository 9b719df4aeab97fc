import type { SqlType } from './types.ts';

/** Intervals: of years and months, or of days down to seconds. Values are whole months, or milliseconds. */

export type IntervalType = Extract<SqlType, { kind: 'INTERVAL' }>;

const MONTHS_OF: Readonly<Record<string, number>> = { YEAR: 12, MONTH: 1 };
const MS_OF: Readonly<Record<string, number>> = { DAY: 86_400_000, HOUR: 3_600_000, MINUTE: 60_000, SECOND: 1000 };
const CALENDAR = Object.keys(MONTHS_OF);
const TIME = Object.keys(MS_OF);
/** Maximum value of a unit that follows a larger one. */
const MOST: Readonly<Record<string, number>> = { MONTH: 11, HOUR: 23, MINUTE: 59, SECOND: 59 };
/** Accepted units without a type of their own. */
const WRITTEN: Readonly<Record<string, readonly [unit: string, times: number]>> = {
  WEEK: ['DAY', 7],
  MILLISECOND: ['SECOND', 0.001],
};

const LONGEST_TEXT = 100;

const singular = (word: string): string => word.toUpperCase().replace(/S$/, '');

/** The unit that `word` names and its factor: a week is seven days. */
export function unitOf(word: string): readonly [unit: string, times: number] | undefined {
  const unit = singular(word);
  return CALENDAR.includes(unit) || TIME.includes(unit)
    ? [unit, 1]
    : Object.hasOwn(WRITTEN, unit)
      ? WRITTEN[unit]
      : undefined;
}

/** The units from one down to another, which may be the same. */
function unitsOf(first: string, last: string): readonly string[] | undefined {
  const family = CALENDAR.includes(first) ? CALENDAR : TIME;
  const [from, to] = [family.indexOf(first), family.indexOf(last)];
  return from >= 0 && to >= from ? family.slice(from, to + 1) : undefined;
}

/** The type of intervals from one unit down to another; undefined if it does not exist. */
export function intervalType(first: string, last = first): IntervalType | undefined {
  if (!unitsOf(first, last)) return undefined;
  return { kind: 'INTERVAL', units: first === last ? first : `${first} TO ${last}` };
}

export const isOfMonths = ({ units }: IntervalType): boolean => CALENDAR.some((unit) => units.startsWith(unit));

/** Parses the text of an interval: `1`, `1-2` for years and months, `1 02:03:04.5` for days to seconds. */
export function intervalOf(text: string, { units }: IntervalType): bigint | undefined {
  if (text.length > LONGEST_TEXT) return undefined;
  const [first = '', last = first] = units.split(' TO ');
  const names = unitsOf(first, last) ?? [];
  const [, sign, rest = ''] = /^\s*([+-]?)(\d[\d :.-]*?)\s*$/.exec(text) ?? [];
  const parts = rest.split(CALENDAR.includes(first) ? '-' : /[ :]/);
  if (parts.length !== names.length) return undefined;
  let value = 0;
  for (const [index, name] of names.entries()) {
    const part = parts[index] ?? '';
    const isNumber = name === 'SECOND' ? /^\d{1,9}(?:\.\d{1,9})?$/.test(part) : /^\d{1,9}$/.test(part);
    if (!isNumber || (index > 0 && Math.floor(Number(part)) > (MOST[name] ?? 0))) return undefined;
    value += Number(part) * (MONTHS_OF[name] ?? MS_OF[name] ?? 0);
  }
  return BigInt(Math.trunc(value)) * (sign === '-' ? -1n : 1n);
}

const two = (value: bigint): string => String(value).padStart(2, '0');

/** The text in results: `1-2`, `1 02:03:04.500000000`. */
export function intervalText(value: bigint, type: IntervalType): string {
  const size = value < 0n ? -value : value;
  const sign = value < 0n ? '-' : '';
  if (isOfMonths(type)) return `${sign}${size / 12n}-${size % 12n}`;
  const seconds = size / 1000n;
  const time = [(seconds / 3600n) % 24n, (seconds / 60n) % 60n, seconds % 60n].map(two).join(':');
  return `${sign}${seconds / 86_400n} ${time}.${String(size % 1000n).padStart(3, '0')}000000`;
}
