import { DAY_MS } from '../../../kernel/time/index.ts';
import { dayOfWall, LAST_WALL, timeOfDay, type Wall, type ZoneName } from '../zones/wall.ts';
import { toInstant, toWall } from '../zones/zone.ts';
import { type Periods, periodsOf } from './periods.ts';
import type { Rule, Series, Until } from './types.ts';

export interface Window {
  /** Occurrences that start before this time are left out. */
  readonly from: Wall;
  /** Occurrences that start at or after this time are left out. */
  readonly to?: Wall;
  /** Bound on the work: about one unit for every candidate. */
  readonly work?: number;
}

export interface Occurrences extends Iterable<Wall> {
  /** True if an iteration stopped at the work bound: there may be occurrences after the last one that it yielded. */
  readonly isIncomplete: boolean;
}

/** About 270 years of days, and a few hundredths of a second. */
export const DEFAULT_WORK = 100_000;

/** Work of a rule before its first occurrence. */
const RULE_WORK = 100;

class Budget {
  #left: number;
  constructor(work: number) {
    this.#left = work;
  }
  get isSpent(): boolean {
    return this.#left <= 0;
  }
  spend(units: number): void {
    this.#left -= units;
  }
}

/** The positions that BYSETPOS keeps in a set of `size` elements, in order. */
const positionsIn = (bySetPos: readonly number[], size: number): readonly number[] => {
  const positions = new Set<number>();
  for (const position of bySetPos) {
    const index = position > 0 ? position - 1 : size + position;
    if (index >= 0 && index < size) positions.add(index);
  }
  return [...positions].sort((a, b) => a - b);
};

/**
 * All combinations of bases and times, except days before `from`. With BYSETPOS, only the combinations at its positions, without building
 * the others.
 */
function* wallsOfPeriod(
  bases: readonly Wall[],
  times: readonly number[],
  bySetPos: readonly number[],
  from: Wall,
): Generator<Wall> {
  if (bySetPos.length === 0) {
    for (const base of bases) {
      if (base + DAY_MS <= from) continue;
      for (const time of times) yield base + time;
    }
    return;
  }
  for (const position of positionsIn(bySetPos, bases.length * times.length)) {
    const base = bases[Math.floor(position / times.length)] ?? 0;
    yield base + (times[position % times.length] ?? 0);
  }
}

/** The matches of a rule up to `last`, beginning with the period that contains `from`. */
function* matches(rule: Rule, periods: Periods, from: Wall, last: Wall, budget: Budget): Generator<Wall> {
  let index = Math.max(0, periods.indexAt(from));
  while (!budget.isSpent && periods.begin(index) <= last) {
    const { bases, skipTo } = periods.at(index);
    budget.spend(periods.cost + rule.bySetPos.length);
    for (const wall of wallsOfPeriod(bases, periods.times, rule.bySetPos, from)) {
      if (wall > last) return;
      budget.spend(1);
      if (budget.isSpent) return;
      yield wall;
    }
    index = Math.max(index + 1, skipTo === undefined ? 0 : periods.indexAt(skipTo));
  }
}

interface End {
  /** No wall-clock time after this can be before UNTIL. */
  readonly last: Wall;
  /** Decides for times near `last`. */
  readonly includes: (wall: Wall) => boolean;
}

/** The last day of an all-day series. Some calendars write it as an instant: midnight or the last second of a UTC day means that date. */
const lastDay = (until: Until, zone: ZoneName): Wall => {
  if (until.kind === 'date') return until.day;
  if (until.kind === 'local') return until.wall;
  const time = timeOfDay(until.at);
  return time === 0 || time >= DAY_MS - 1000 ? until.at : toWall(zone, until.at);
};

/** UNTIL is inclusive. A date includes all of its day; a time without a zone is in the zone of the series. */
export const endOf = (until: Until, zone: ZoneName, isAllDay: boolean): End => {
  if (isAllDay) return { last: dayOfWall(lastDay(until, zone)) * DAY_MS, includes: () => true };
  if (until.kind === 'date') return { last: until.day + DAY_MS - 1, includes: () => true };
  if (until.kind === 'local') return { last: until.wall, includes: () => true };
  const { at } = until;
  const wall = toWall(zone, at);
  // Near an offset change, a later wall-clock time can be an earlier instant.
  return { last: wall + DAY_MS, includes: (other) => other < wall - DAY_MS || toInstant(zone, other) <= at };
};

/**
 * BYHOUR, BYMINUTE and BYSECOND have no meaning for whole days (RFC 5545, section 3.3.10), and a rule with a frequency below a day matches
 * each day once.
 */
const ruleOfDays = (rule: Rule): Rule => {
  const isShort = ['HOURLY', 'MINUTELY', 'SECONDLY'].includes(rule.frequency);
  const midnight = isShort ? [0] : [];
  return { ...rule, byHour: midnight, byMinute: midnight, bySecond: midnight };
};

/** The occurrences of one rule. They include DTSTART: COUNT counts it even if the rule does not match it. */
function* ofRule(given: Rule, series: Series, from: Wall, to: Wall, budget: Budget): Generator<Wall> {
  const { start, zone, isAllDay } = series;
  const rule = isAllDay ? ruleOfDays(given) : given;
  const end = rule.until && endOf(rule.until, zone, isAllDay);
  let left = rule.count ?? Number.POSITIVE_INFINITY;
  yield start;
  left -= 1;
  const last = Math.min(to - 1, end?.last ?? LAST_WALL, LAST_WALL);
  // COUNT has to be counted from the beginning.
  const begin = rule.count === undefined ? Math.max(from, start) : start;
  for (const wall of matches(rule, periodsOf(rule, start), begin, last, budget)) {
    if (wall <= start) continue;
    if (left <= 0) return;
    if (end && !end.includes(wall)) continue;
    left -= 1;
    if (wall >= from) yield wall;
  }
}

/** Merges sorted sources and removes duplicates. */
function* merged(sources: readonly Iterable<Wall>[]): Generator<Wall> {
  const [only, ...others] = sources;
  if (only && others.length === 0) {
    yield* only;
    return;
  }
  const heads = sources.map((iterable) => {
    const source = iterable[Symbol.iterator]();
    return { source, head: source.next() };
  });
  for (;;) {
    let lowest: Wall | undefined;
    for (const { head } of heads) if (!head.done && (lowest === undefined || head.value < lowest)) lowest = head.value;
    if (lowest === undefined) return;
    yield lowest;
    for (const entry of heads) while (!entry.head.done && entry.head.value <= lowest) entry.head = entry.source.next();
  }
}

class SeriesOccurrences implements Occurrences {
  readonly #series: Series;
  readonly #window: Window;
  #isIncomplete = false;

  constructor(series: Series, window: Window) {
    this.#series = series;
    this.#window = window;
  }

  get isIncomplete(): boolean {
    return this.#isIncomplete;
  }

  *[Symbol.iterator](): Generator<Wall> {
    const { start, rules, dates, exDates, isAllDay } = this.#series;
    const { from, to = LAST_WALL + 1, work = DEFAULT_WORK } = this.#window;
    const budget = new Budget(work);
    const wholeDay = (wall: Wall): Wall => (isAllDay ? dayOfWall(wall) * DAY_MS : wall);
    const excluded = new Set(exDates.map(wholeDay));
    // With rules, the first rule yields DTSTART.
    const added = [...(rules.length === 0 ? [start] : []), ...dates.map(wholeDay)].filter((wall) => wall >= from);
    const sources: Iterable<Wall>[] = added.length > 0 ? [[...new Set(added)].sort((a, b) => a - b)] : [];
    for (const rule of rules) {
      budget.spend(RULE_WORK);
      if (!budget.isSpent) sources.push(ofRule(rule, this.#series, from, to, budget));
    }
    for (const wall of merged(sources)) {
      // If one rule stopped at its bound, the occurrences after that time may be incomplete.
      if (budget.isSpent || wall >= to) break;
      budget.spend(sources.length - 1);
      if (wall >= from && !excluded.has(wall)) yield wall;
    }
    this.#isIncomplete = budget.isSpent;
  }
}

/**
 * Yields the wall-clock starts of the occurrences of a series within a window, in order and lazily. The work is bounded for any rules.
 * Without COUNT, skipping from DTSTART to the window costs nothing. Each iteration starts over.
 */
export const occurrences = (series: Series, window: Window): Occurrences => new SeriesOccurrences(series, window);

/** True if an occurrence starts at the wall-clock time. */
export const isOccurrence = (series: Series, wall: Wall): boolean => {
  for (const found of occurrences(series, { from: wall, to: wall + 1 })) if (found === wall) return true;
  return false;
};
