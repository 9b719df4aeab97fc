import { civilOf, DAY_MS, dayOfCivil, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../kernel/time/index.ts';
import { type Cron, type DayRule, LAST_YEAR } from './cron.ts';
import { instantsOf, type Zone } from './zone.ts';

/** Firing times of a cron expression in a time zone. */

/** Clocks are put back by two hours at most, and seldom by more than one. */
const OVERLAP_MS = 3 * HOUR_MS;

const HOURS_OF_DAY = 24;

/**
 * The first firing after an instant; undefined if the expression never fires again. A time that does not exist because clocks are put
 * forward is shifted by the same amount. If clocks are put back, an expression with certain hours fires only in the first pass of the
 * repeated hour; an expression with all hours fires in both.
 */
export function nextFiring(cron: Cron, zone: Zone, after: number): number | undefined {
  const offset = zone.offsetAt(after);
  const isNearOverlap = zone.offsetAt(after - OVERLAP_MS) > offset || zone.offsetAt(after + OVERLAP_MS) < offset;
  const from = after + offset - (isNearOverlap ? OVERLAP_MS : 0);
  let best: number | undefined;
  for (const wall of wallTimes(cron, from)) {
    // Wall times ascend; from this one on, no instant can be earlier than the best so far.
    if (best !== undefined && wall > best + offset + OVERLAP_MS) break;
    for (const at of firingsAt(cron, zone, wall)) {
      if (at > after && (best === undefined || at < best)) best = at;
    }
    if (best !== undefined && !isNearOverlap) break;
  }
  return best;
}

function firingsAt(cron: Cron, zone: Zone, wall: number): readonly number[] {
  const { instants, shifted } = instantsOf(zone, wall);
  const isEveryHour = cron.hours.length === HOURS_OF_DAY;
  if (isEveryHour) return instants;
  return [instants[0] ?? shifted];
}

/** The wall times of an expression after a given wall time, ascending. */
function* wallTimes(cron: Cron, after: number): Generator<number> {
  const first = Math.floor(after / DAY_MS);
  const timeOfFirst = after - first * DAY_MS;
  for (const day of daysOf(cron, first)) {
    for (const time of timesOf(cron, day === first ? timeOfFirst : -1)) yield day * DAY_MS + time;
  }
}

function* timesOf({ hours, minutes, seconds }: Cron, after: number): Generator<number> {
  for (const hour of hours) {
    if ((hour + 1) * HOUR_MS <= after) continue;
    for (const minute of minutes) {
      const start = hour * HOUR_MS + minute * MINUTE_MS;
      if (start + MINUTE_MS <= after) continue;
      for (const second of seconds) {
        const time = start + second * SECOND_MS;
        if (time > after) yield time;
      }
    }
  }
}

/** The days of an expression from a given day on, month by month. */
function* daysOf({ months, years, days }: Cron, first: number): Generator<number> {
  const start = civilOf(first);
  for (let year = start.year; year <= LAST_YEAR; year++) {
    if (years && !years.has(year)) continue;
    for (const month of months) {
      if (year === start.year && month < start.month) continue;
      for (const day of daysOfMonth(days, year, month)) {
        const number = dayOfCivil(year, month, day);
        if (number >= first) yield number;
      }
    }
  }
}

function daysOfMonth(rules: readonly DayRule[], year: number, month: number): readonly number[] {
  const length = dayOfCivil(year, month + 1, 1) - dayOfCivil(year, month, 1);
  const found = new Set<number>();
  for (const rule of rules) for (const day of daysByRule(rule, year, month, length)) found.add(day);
  return [...found].filter((day) => day >= 1 && day <= length).sort((one, other) => one - other);
}

/** 1970-01-01 was a Thursday. */
const weekdayOf = (year: number, month: number, day: number): number =>
  (((dayOfCivil(year, month, day) + 4) % 7) + 7) % 7;

function daysByRule(rule: DayRule, year: number, month: number, length: number): readonly number[] {
  const nearest = (day: number): number => {
    const weekday = weekdayOf(year, month, day);
    if (weekday === 6) return day === 1 ? 3 : day - 1;
    if (weekday === 0) return day === length ? day - 2 : day + 1;
    return day;
  };
  if (rule.is === 'days') return rule.days;
  if (rule.is === 'last') {
    const day = length - rule.before;
    if (day < 1) return [];
    return [rule.weekday ? nearest(day) : day];
  }
  if (rule.is === 'nearestWeekday') return rule.day > length ? [] : [nearest(rule.day)];
  const firstWeekday = weekdayOf(year, month, 1);
  const firstOf = (weekday: number): number => 1 + ((weekday - firstWeekday + 7) % 7);
  if (rule.is === 'nthWeekday') return [firstOf(rule.weekday) + (rule.nth - 1) * 7];
  if (rule.is === 'lastWeekday') {
    const first = firstOf(rule.weekday);
    return [first + Math.floor((length - first) / 7) * 7];
  }
  return rule.weekdays.flatMap((weekday) => [0, 7, 14, 21, 28].map((days) => firstOf(weekday) + days));
}
