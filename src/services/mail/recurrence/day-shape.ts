import { daysInMonth, type Weekday } from '../zones/civil.ts';
import type { Rule, WeekIndex } from './types.ts';

/** The days of a month that a monthly or yearly rule has, as far as a pattern can express them. */
export type DayShape =
  | { readonly kind: 'date'; readonly day: number; readonly isExact: boolean }
  | { readonly kind: 'index'; readonly index: WeekIndex; readonly days: readonly Weekday[] }
  | { readonly kind: 'every'; readonly days: readonly Weekday[] };

const INDEXES: ReadonlyMap<number, WeekIndex> = new Map([
  [1, 'first'],
  [2, 'second'],
  [3, 'third'],
  [4, 'fourth'],
  [-1, 'last'],
]);

/** The shortest and the longest length of a month; without `month`, of any month. */
const lengthsOf = (month: number | undefined): [shortest: number, longest: number] =>
  month === undefined ? [28, 31] : [daysInMonth(2001, month), daysInMonth(2000, month)];

/** True if BYSETPOS keeps the only element of a one-element set. */
export const keepsOnly = (bySetPos: readonly number[]): boolean =>
  bySetPos.length === 0 || bySetPos.includes(1) || bySetPos.includes(-1);

const isRun = (list: readonly number[], first: number, last: number): boolean =>
  list.length === last - first + 1 && list[0] === first && list.at(-1) === last;

const date = (day: number, isExact: boolean): DayShape => ({ kind: 'date', day, isExact });

const ofMonthDay = (day: number, month: number | undefined): DayShape | undefined => {
  const [shortest, longest] = lengthsOf(month);
  // A pattern expresses the last day of every month as the 31st, clipped.
  if (day === -1) return date(longest, true);
  if (day < 0) return shortest === longest ? date(longest + 1 + day, true) : undefined;
  if (day > longest) return undefined;
  return date(day, day <= shortest);
};

const ofMonthDays = ({ byMonthDay, bySetPos }: Rule, month: number | undefined): DayShape | undefined => {
  const [only, ...more] = byMonthDay;
  if (only === undefined) return undefined;
  if (more.length === 0) return keepsOnly(bySetPos) ? ofMonthDay(only, month) : undefined;
  const last = byMonthDay.at(-1) ?? 0;
  const isClipped = bySetPos.length === 1 && bySetPos[0] === -1 && last >= 29 && isRun(byMonthDay, 28, last);
  return isClipped ? date(Math.min(last, lengthsOf(month)[1]), true) : undefined;
};

const ofWeekdays = ({ byDay, bySetPos }: Rule): DayShape | undefined => {
  const days = byDay.map(({ weekday }) => weekday);
  const ordinals = new Set(byDay.map(({ ordinal }) => ordinal));
  const [ordinal = 0, ...others] = ordinals;
  if (others.length > 0) return undefined;
  if (ordinal !== 0) {
    const index = INDEXES.get(ordinal);
    return days.length === 1 && index && keepsOnly(bySetPos) ? { kind: 'index', index, days } : undefined;
  }
  const [position, ...more] = bySetPos;
  if (position === undefined) return { kind: 'every', days };
  const index = INDEXES.get(position);
  return index && more.length === 0 ? { kind: 'index', index, days } : undefined;
};

/** `BYMONTHDAY=8,9,10,11,12,13,14;BYDAY=TU` is the second Tuesday. */
const ofWeekdayInRun = ({ byDay, byMonthDay, bySetPos }: Rule, month: number | undefined): DayShape | undefined => {
  const [only, ...more] = byDay;
  if (!only || more.length > 0 || only.ordinal !== 0 || !keepsOnly(bySetPos)) return undefined;
  const days = [only.weekday];
  for (const week of [1, 2, 3, 4]) {
    const index = INDEXES.get(week);
    if (index && isRun(byMonthDay, week * 7 - 6, week * 7)) return { kind: 'index', index, days };
  }
  const [shortest, longest] = lengthsOf(month);
  const isLastWeek = shortest === longest && isRun(byMonthDay, longest - 6, longest);
  return isLastWeek || isRun(byMonthDay, -7, -1) ? { kind: 'index', index: 'last', days } : undefined;
};

/**
 * Returns undefined if no pattern has these days. `month` is set for a rule of one month; `startDate` is the day of the month of DTSTART.
 */
export const dayShapeOf = (rule: Rule, startDate: number, month: number | undefined): DayShape | undefined => {
  if (rule.byDay.length > 0 && rule.byMonthDay.length > 0) return ofWeekdayInRun(rule, month);
  if (rule.byDay.length > 0) return ofWeekdays(rule);
  if (rule.byMonthDay.length > 0) return ofMonthDays(rule, month);
  return keepsOnly(rule.bySetPos) ? ofMonthDay(startDate, month) : undefined;
};
