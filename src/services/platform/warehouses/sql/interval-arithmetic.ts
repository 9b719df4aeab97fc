import type { Bound, Row } from './bound.ts';
import { type IntervalType, intervalType, isOfMonths } from './intervals.ts';
import { problems } from './problem.ts';
import { isTime, type SqlType, type SqlValue, simple, typeText } from './types.ts';

const DAY_MS = 86_400_000;
const TIMESTAMP = simple('TIMESTAMP');

type Known = Exclude<SqlValue, null>;

/** Sums and differences of times and intervals; undefined for other operands. */
export function intervalArithmetic(op: '+' | '-', left: Bound, right: Bound): Bound | undefined {
  const [a, b] = [left.type, right.type];
  const sign = op === '-' ? -1n : 1n;
  if (a.kind === 'INTERVAL' && b.kind === 'INTERVAL')
    return typeText(a) === typeText(b) ? both(left, right, a, (x, y) => BigInt(x) + sign * BigInt(y)) : undefined;
  if (isTime(a) && b.kind === 'INTERVAL') return moved(left, right, b, sign);
  if (a.kind === 'INTERVAL' && isTime(b)) return op === '+' ? moved(right, left, a, 1n) : undefined;
  return op === '-' && isTime(a) && isTime(b) ? between(left, right) : undefined;
}

function both(left: Bound, right: Bound, type: SqlType, work: (left: Known, right: Known) => SqlValue): Bound {
  const of = (row: Row): SqlValue => {
    const [a, b] = [left.of(row), right.of(row)];
    return a === null || b === null ? null : work(a, b);
  };
  return { type, of };
}

const msOf = (value: Known, { kind }: SqlType): number => Number(value) * (kind === 'DATE' ? DAY_MS : 1);

/** A date stays a date if whole days are added to it. */
function moved(time: Bound, interval: Bound, by: IntervalType, sign: bigint): Bound {
  const isDate = time.type.kind === 'DATE';
  const staysDate = isDate && (isOfMonths(by) || by.units === 'DAY');
  return both(time, interval, isDate && !staysDate ? TIMESTAMP : time.type, (at, span) => {
    const ms = msOf(at, time.type);
    const size = Number(BigInt(span) * sign);
    const later = checked(isOfMonths(by) ? monthsLater(ms, size) : ms + size);
    return staysDate ? Math.floor(later / DAY_MS) : later;
  });
}

/** The same day of another month, or the last day of that month. */
function monthsLater(ms: number, months: number): number {
  const date = new Date(ms);
  const month = date.getUTCMonth() + months;
  const last = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const day = Math.min(date.getUTCDate(), last);
  return Date.UTC(date.getUTCFullYear(), month, day) + (((ms % DAY_MS) + DAY_MS) % DAY_MS);
}

/** Throws if the time is out of range. */
function checked(ms: number): number {
  if (Number.isNaN(new Date(ms).getTime())) throw problems.noTime();
  return ms;
}

function between(end: Bound, start: Bound): Bound | undefined {
  const areDates = end.type.kind === 'DATE' && start.type.kind === 'DATE';
  const type = areDates ? intervalType('DAY') : intervalType('DAY', 'SECOND');
  return type && both(end, start, type, (a, b) => BigInt(msOf(a, end.type) - msOf(b, start.type)));
}
