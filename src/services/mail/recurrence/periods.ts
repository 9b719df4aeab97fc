import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/time/index.ts';
import { civilOf, type Day, dayOfCivil, weekBegin } from '../zones/civil.ts';
import { dayOfWall, timeOfDay, type Wall } from '../zones/wall.ts';
import { DayFilter } from './day-filter.ts';
import type { Rule } from './types.ts';

/**
 * The contribution of one period of a rule (a year, a month, ..., a second): every sum of a base and a time, in order. `skipTo` is set if
 * nothing matches before that wall-clock time, so that the periods up to it can be skipped.
 */
export interface Period {
  readonly bases: readonly Wall[];
  readonly skipTo?: Wall;
}

/** The periods of a rule in steps of INTERVAL; period 0 contains DTSTART. */
export interface Periods {
  /** Times within a base, in milliseconds, sorted. */
  readonly times: readonly number[];
  /** Cost of one period, in units of the work bound. */
  readonly cost: number;
  begin(index: number): Wall;
  /** Index of the last period that begins at or before a wall-clock time. */
  indexAt(wall: Wall): number;
  at(index: number): Period;
}

const NOTHING: readonly Wall[] = [];

/** Every combination of hours, minutes and seconds in milliseconds. */
const combine = (lists: readonly (readonly number[])[], units: readonly number[], rest: number): number[] => {
  let sums = [0];
  for (const [place, list] of lists.entries()) {
    const unit = units[place] ?? 0;
    sums = sums.flatMap((sum) => list.map((value) => sum + value * unit));
  }
  return sums.map((sum) => sum + rest);
};

interface Clock {
  readonly hours: readonly number[];
  readonly minutes: readonly number[];
  readonly seconds: readonly number[];
  readonly rest: number;
}

/** The BY parts for times; missing parts come from DTSTART. There is no leap second: 60 is the last second of its minute. */
const clockOf = (rule: Rule, start: Wall): Clock => {
  const time = timeOfDay(start);
  const orStart = (list: readonly number[], value: number): readonly number[] => (list.length > 0 ? list : [value]);
  const seconds = orStart(rule.bySecond, Math.floor((time % MINUTE_MS) / SECOND_MS));
  return {
    hours: orStart(rule.byHour, Math.floor(time / HOUR_MS)),
    minutes: orStart(rule.byMinute, Math.floor((time % HOUR_MS) / MINUTE_MS)),
    seconds: [...new Set(seconds.map((second) => Math.min(second, 59)))],
    rest: time % SECOND_MS,
  };
};

const wallsOf = (days: readonly Day[]): Wall[] => days.map((day) => day * DAY_MS);

const yearly = (rule: Rule, filter: DayFilter, startYear: number, times: readonly number[]): Periods => {
  const yearAt = (index: number): number => startYear + index * rule.interval;
  return {
    times,
    cost: 3 * filter.monthsOfYear,
    begin: (index) => dayOfCivil(yearAt(index), 1, 1) * DAY_MS,
    indexAt: (wall) => Math.floor((civilOf(dayOfWall(wall)).year - startYear) / rule.interval),
    at: (index) => ({ bases: wallsOf(filter.daysOfYear(yearAt(index))) }),
  };
};

const monthly = (rule: Rule, filter: DayFilter, startMonth: number, times: readonly number[]): Periods => {
  // Months are counted from January of year 0.
  const monthAt = (index: number): [year: number, month: number] => {
    const months = startMonth + index * rule.interval;
    return [Math.floor(months / 12), (months % 12) + 1];
  };
  return {
    times,
    cost: 2,
    begin: (index) => dayOfCivil(...monthAt(index), 1) * DAY_MS,
    indexAt: (wall) => {
      const { year, month } = civilOf(dayOfWall(wall));
      return Math.floor((year * 12 + month - 1 - startMonth) / rule.interval);
    },
    at: (index) => ({ bases: wallsOf(filter.daysOfMonth(...monthAt(index))) }),
  };
};

/** The begin of the next month that the rule can have; undefined if it can have this month. */
const monthAfter = (filter: DayFilter, year: number, month: number): Wall | undefined =>
  filter.hasMonth(month) ? undefined : dayOfCivil(month === 12 ? year + 1 : year, (month % 12) + 1, 1) * DAY_MS;

/** Periods of fixed length: `length` days, beginning at `origin`. */
const ofDays = (rule: Rule, filter: DayFilter, origin: Day, length: number, times: readonly number[]): Periods => {
  const step = length * rule.interval;
  const daysAt = (index: number): Period => {
    const first = origin + index * step;
    const days: Day[] = [];
    for (let day = first; day < first + length; day++) if (filter.hasDay(day, civilOf(day))) days.push(day);
    if (days.length > 0) return { bases: wallsOf(days) };
    const { year, month } = civilOf(first + length - 1);
    const skipTo = monthAfter(filter, year, month);
    return skipTo === undefined ? { bases: NOTHING } : { bases: NOTHING, skipTo };
  };
  return {
    times,
    cost: 1,
    begin: (index) => (origin + index * step) * DAY_MS,
    indexAt: (wall) => Math.floor((dayOfWall(wall) - origin) / step),
    at: daysAt,
  };
};

/** Periods of an hour, a minute or a second. BY parts longer than the period exclude periods, and give the time at which to continue. */
const ofTime = (rule: Rule, filter: DayFilter, start: Wall, unit: number, times: readonly number[]): Periods => {
  const origin = Math.floor(start / unit) * unit;
  const step = unit * rule.interval;
  const limits: readonly (readonly [list: ReadonlySet<number>, unit: number, size: number])[] = [
    [new Set(rule.byHour), HOUR_MS, 24],
    [new Set(rule.byMinute), MINUTE_MS, 60],
    [new Set(rule.bySecond.map((second) => Math.min(second, 59))), SECOND_MS, 60],
  ];
  const skipFromDay = (day: Day): Wall | undefined => {
    const civil = civilOf(day);
    const nextMonth = monthAfter(filter, civil.year, civil.month);
    return nextMonth ?? (filter.hasDay(day, civil) ? undefined : (day + 1) * DAY_MS);
  };
  // Cached, since consecutive periods are usually on the same day.
  let checked: { day: Day; skipTo: Wall | undefined } | undefined;
  const skipFrom = (wall: Wall): Wall | undefined => {
    const day = dayOfWall(wall);
    if (checked?.day !== day) checked = { day, skipTo: skipFromDay(day) };
    if (checked.skipTo !== undefined) return checked.skipTo;
    for (const [list, length, size] of limits) {
      if (length < unit || list.size === 0) continue;
      const whole = Math.floor(wall / length);
      if (!list.has(((whole % size) + size) % size)) return (whole + 1) * length;
    }
    return undefined;
  };
  return {
    times,
    cost: 1,
    begin: (index) => origin + index * step,
    indexAt: (wall) => Math.floor((wall - origin) / step),
    at: (index) => {
      const wall = origin + index * step;
      const skipTo = skipFrom(wall);
      return skipTo === undefined ? { bases: [wall] } : { bases: NOTHING, skipTo };
    },
  };
};

export const periodsOf = (rule: Rule, start: Wall): Periods => {
  const startDay = dayOfWall(start);
  const civil = civilOf(startDay);
  const filter = new DayFilter(rule, startDay, civil);
  const { hours, minutes, seconds, rest } = clockOf(rule, start);
  const units = [HOUR_MS, MINUTE_MS, SECOND_MS];
  const times = (): number[] => combine([hours, minutes, seconds], units, rest);
  switch (rule.frequency) {
    case 'YEARLY':
      return yearly(rule, filter, civil.year, times());
    case 'MONTHLY':
      return monthly(rule, filter, civil.year * 12 + civil.month - 1, times());
    case 'WEEKLY':
      return ofDays(rule, filter, weekBegin(startDay, filter.weekStart), 7, times());
    case 'DAILY':
      return ofDays(rule, filter, startDay, 1, times());
    case 'HOURLY':
      return ofTime(rule, filter, start, HOUR_MS, combine([minutes, seconds], units.slice(1), rest));
    case 'MINUTELY':
      return ofTime(rule, filter, start, MINUTE_MS, combine([seconds], units.slice(2), rest));
    case 'SECONDLY':
      return ofTime(rule, filter, start, SECOND_MS, [rest]);
  }
};
