import {
  type Civil,
  type Day,
  dayOfCivil,
  daysInMonth,
  daysInYear,
  type Weekday,
  weekBegin,
  weekdayOf,
  yearOfDay,
} from '../zones/civil.ts';
import type { Rule } from './types.ts';

/** RFC 5545: weeks begin on Monday by default. */
export const DEFAULT_WEEK_START: Weekday = 1;

const isAny = (list: readonly unknown[]): boolean => list.length > 0;

/**
 * The BY parts of a rule that choose days. Missing parts are derived from DTSTART (RFC 5545, section 3.3.10: "information, not contained in
 * the rule ... derived from DTSTART"). Lookups take constant time, however long the lists are.
 */
export class DayFilter {
  readonly weekStart: Weekday;
  readonly #months: ReadonlySet<number>;
  readonly #monthDays: ReadonlySet<number>;
  readonly #yearDays: ReadonlySet<number>;
  readonly #weekNumbers: ReadonlySet<number>;
  /** Ordinals by weekday; 0 means all. Empty without BYDAY. */
  readonly #ordinals: ReadonlyMap<Weekday, ReadonlySet<number>>;
  readonly #isOrdinalOfMonth: boolean;

  constructor(rule: Rule, startDay: Day, start: Civil) {
    const { frequency, byDay, byMonthDay, byYearDay, byWeekNo, byMonth } = rule;
    const choosesDay = isAny(byDay) || isAny(byMonthDay) || isAny(byYearDay) || isAny(byWeekNo);
    const isDayOfMonth = (frequency === 'YEARLY' || frequency === 'MONTHLY') && !choosesDay;
    const isDayOfWeek = frequency === 'WEEKLY' || (isAny(byWeekNo) && !isAny(byMonthDay) && !isAny(byYearDay));
    this.weekStart = rule.weekStart ?? DEFAULT_WEEK_START;
    this.#months = new Set(frequency === 'YEARLY' && isDayOfMonth && !isAny(byMonth) ? [start.month] : byMonth);
    this.#monthDays = new Set(isDayOfMonth ? [start.day] : byMonthDay);
    this.#yearDays = new Set(byYearDay);
    this.#weekNumbers = new Set(byWeekNo);
    this.#isOrdinalOfMonth = frequency === 'MONTHLY' || isAny(byMonth);
    const ordinals = new Map<Weekday, Set<number>>();
    for (const { weekday, ordinal } of byDay) ordinals.set(weekday, (ordinals.get(weekday) ?? new Set()).add(ordinal));
    if (isDayOfWeek && !isAny(byDay)) ordinals.set(weekdayOf(startDay), new Set([0]));
    this.#ordinals = ordinals;
  }

  /** Number of months of a year to check. */
  get monthsOfYear(): number {
    return this.#months.size === 0 ? 12 : this.#months.size;
  }

  hasMonth(month: number): boolean {
    return this.#months.size === 0 || this.#months.has(month);
  }

  /** The days of a year, or of one month of it, that match all parts. */
  daysOfYear(year: number): Day[] {
    const days: Day[] = [];
    for (let month = 1; month <= 12; month++) this.daysOfMonth(year, month, days);
    return days;
  }

  daysOfMonth(year: number, month: number, into: Day[] = []): Day[] {
    if (!this.hasMonth(month)) return into;
    const length = daysInMonth(year, month);
    const first = dayOfCivil(year, month, 1);
    for (let date = 1; date <= length; date++) {
      if (this.#hasDate(date, length) && this.#hasRest(first + date - 1, { year, month, day: date }))
        into.push(first + date - 1);
    }
    return into;
  }

  /** True if a day matches; for weekly and shorter frequencies. */
  hasDay(day: Day, civil: Civil): boolean {
    if (!this.hasMonth(civil.month)) return false;
    return this.#hasDate(civil.day, daysInMonth(civil.year, civil.month)) && this.#hasRest(day, civil);
  }

  #hasDate(date: number, length: number): boolean {
    const wanted = this.#monthDays;
    return wanted.size === 0 || wanted.has(date) || wanted.has(date - length - 1);
  }

  #hasRest(day: Day, civil: Civil): boolean {
    return this.#hasWeekday(day, civil) && this.#hasYearDay(day, civil.year) && this.#hasWeekNumber(day);
  }

  #hasWeekday(day: Day, { year, month, day: date }: Civil): boolean {
    if (this.#ordinals.size === 0) return true;
    const wanted = this.#ordinals.get(weekdayOf(day));
    if (!wanted) return false;
    if (wanted.has(0)) return true;
    const position = this.#isOrdinalOfMonth ? date - 1 : day - dayOfCivil(year, 1, 1);
    const length = this.#isOrdinalOfMonth ? daysInMonth(year, month) : daysInYear(year);
    return wanted.has(Math.floor(position / 7) + 1) || wanted.has(-Math.floor((length - 1 - position) / 7) - 1);
  }

  #hasYearDay(day: Day, year: number): boolean {
    if (this.#yearDays.size === 0) return true;
    const position = day - dayOfCivil(year, 1, 1) + 1;
    return this.#yearDays.has(position) || this.#yearDays.has(position - daysInYear(year) - 1);
  }

  #hasWeekNumber(day: Day): boolean {
    if (this.#weekNumbers.size === 0) return true;
    const { year, number } = this.#weekOf(day);
    if (this.#weekNumbers.has(number)) return true;
    // 28 December is always in the last week of its year.
    const weeks = this.#weekOf(dayOfCivil(year, 12, 28)).number;
    return this.#weekNumbers.has(number - weeks - 1);
  }

  /** ISO 8601: a week belongs to the year that has most of its days. */
  #weekOf(day: Day): { year: number; number: number } {
    const middle = weekBegin(day, this.weekStart) + 3;
    const year = yearOfDay(middle);
    return { year, number: Math.floor((middle - dayOfCivil(year, 1, 1)) / 7) + 1 };
  }
}
