import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/time/index.ts';
import { plainRule, writeRule } from '../recurrence/rule.ts';
import type { Rule } from '../recurrence/types.ts';
import { civilOf, dayOfCivil, daysInMonth, weekdayOf, yearOfDay } from './civil.ts';
import { isCustomZone } from './custom.ts';
import { dayOfWall, formatWall, timeOfDay, type Wall, type ZoneName } from './wall.ts';
import { offsetAt, type Transition, transitionsBetween } from './zone.ts';

/** The definition of a zone for an outgoing calendar, and the TZID by which its times refer to it. */
export interface Vtimezone {
  readonly tzid: string;
  readonly lines: readonly string[];
}

/** TZID of zones without a name; other calendars then use the rules. */
const CUSTOM_TZID = 'Customized Time Zone';
/**
 * A change is written as a yearly rule only if the rule holds for this many years: by then, the weekday has been on every possible date.
 */
const YEARS_OF_RULE = 12;
/** The maximum number of years until a yearly rule applies, and for which changes without a rule (Ramadan) are listed individually. */
const YEARS_LISTED = 20;

const yearBegin = (year: number): number => dayOfCivil(year, 1, 1) * DAY_MS;

const writeOffset = (offset: number): string => {
  const size = Math.abs(offset);
  const parts = [
    Math.floor(size / HOUR_MS),
    Math.floor((size % HOUR_MS) / MINUTE_MS),
    Math.floor((size % MINUTE_MS) / SECOND_MS),
  ];
  if (parts[2] === 0) parts.pop();
  return `${offset < 0 ? '-' : '+'}${parts.map((part) => String(part).padStart(2, '0')).join('')}`;
};

const writeTime = (wall: Wall): string => formatWall(wall).slice(0, 19).replaceAll('-', '').replaceAll(':', '');

/** One STANDARD or DAYLIGHT. The larger offset is daylight time, even if tzdata calls it standard time (Dublin). */
const observance = (from: number, to: number, first: Wall, more: readonly string[]): string[] => {
  const kind = to > from ? 'DAYLIGHT' : 'STANDARD';
  return [
    `BEGIN:${kind}`,
    `DTSTART:${writeTime(first)}`,
    `TZOFFSETFROM:${writeOffset(from)}`,
    `TZOFFSETTO:${writeOffset(to)}`,
    ...more,
    `END:${kind}`,
  ];
};

const wallOf = ({ at, before }: Transition): Wall => at + before;

/** Days of the month of local times. */
const datesOf = (walls: readonly Wall[]): readonly number[] => walls.map((wall) => civilOf(dayOfWall(wall)).day);

const allEqual = (values: readonly number[]): boolean => values.every((value) => value === values[0]);

/** The rule that yields these local times, one a year; undefined if neither a weekday in a month nor a date fits. */
const ruleOf = (walls: readonly Wall[]): Rule | undefined => {
  const [first] = walls;
  if (first === undefined) return undefined;
  const civils = walls.map((wall) => civilOf(dayOfWall(wall)));
  const month = civils[0]?.month ?? 1;
  if (!civils.every((civil) => civil.month === month) || !allEqual(walls.map(timeOfDay))) return undefined;
  const rule: Rule = { ...plainRule('YEARLY', 1), byMonth: [month] };
  const dates = datesOf(walls);
  const weekday = weekdayOf(dayOfWall(first));
  if (!walls.every((wall) => weekdayOf(dayOfWall(wall)) === weekday)) {
    return allEqual(dates) ? { ...rule, byMonthDay: [dates[0] ?? 1] } : undefined;
  }
  const [lowest, highest] = [Math.min(...dates), Math.max(...dates)];
  if (civils.every(({ year, day }) => day + 7 > daysInMonth(year, month)))
    return { ...rule, byDay: [{ weekday, ordinal: -1 }] };
  const ordinal = Math.ceil(lowest / 7);
  if (highest <= ordinal * 7) return { ...rule, byDay: [{ weekday, ordinal }] };
  // The first matching weekday on or after a date.
  const byMonthDay = Array.from({ length: 7 }, (_, index) => lowest + index);
  return highest - lowest < 7 && lowest + 6 <= 31
    ? { ...rule, byDay: [{ weekday, ordinal: 0 }], byMonthDay }
    : undefined;
};

interface YearlyRules {
  readonly year: number;
  readonly rules: readonly (readonly [first: Transition, rule: Rule])[];
}

/** Two changes a year, each by a rule, from this year on. */
const yearlyRulesFrom = (zone: ZoneName, year: number): YearlyRules | undefined => {
  const changes = transitionsBetween(zone, yearBegin(year), yearBegin(year + YEARS_OF_RULE));
  const [one, two] = changes;
  if (!one || !two || changes.length !== 2 * YEARS_OF_RULE) return undefined;
  const rules: [Transition, Rule][] = [];
  for (const first of [one, two]) {
    const same = changes.filter(({ before, after }) => before === first.before && after === first.after);
    const rule = same.length === YEARS_OF_RULE ? ruleOf(same.map(wallOf)) : undefined;
    if (!rule) return undefined;
    rules.push([first, rule]);
  }
  return { year, rules };
};

const settledRules = (zone: ZoneName, from: number): YearlyRules | undefined => {
  for (let year = from; year < from + YEARS_LISTED; year++) {
    const rules = yearlyRulesFrom(zone, year);
    if (rules) return rules;
  }
  return undefined;
};

/**
 * Changes without a rule: one observance for each kind, with its dates. DTSTART is repeated as RDATE, since some programs read only RDATE.
 */
const listed = (changes: readonly Transition[]): string[] => {
  const kinds = new Map<string, Transition[]>();
  for (const change of changes) {
    const kind = `${change.before} ${change.after}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), change]);
  }
  return [...kinds.values()].flatMap((same) => {
    const [first] = same;
    const dates = same.map((change) => `RDATE:${writeTime(wallOf(change))}`);
    return first ? observance(first.before, first.after, wallOf(first), dates) : [];
  });
};

/**
 * Writes the VTIMEZONE of a zone from the year before `around` on: yearly rules if the zone has them, individual changes before that or
 * without rules, and a single offset if nothing changes. `tzid` is the zone's name in the calendar; the default is its IANA name.
 */
export const vtimezoneOf = (
  zone: ZoneName,
  around: number,
  tzid: string = isCustomZone(zone) ? CUSTOM_TZID : zone,
): Vtimezone => {
  const year = yearOfDay(dayOfWall(around)) - 1;
  const begin = yearBegin(year);
  const settled = settledRules(zone, year);
  const changes = transitionsBetween(zone, begin, yearBegin(settled?.year ?? year + YEARS_LISTED));
  const observances = [
    ...listed(changes),
    ...(settled?.rules ?? []).flatMap(([first, rule]) =>
      observance(first.before, first.after, wallOf(first), [`RRULE:${writeRule(rule)}`]),
    ),
  ];
  // Other programs assume UTC for times before the first observance.
  const isSilent = transitionsBetween(zone, begin, yearBegin(year + 1)).length === 0;
  const offset = offsetAt(zone, begin);
  if (isSilent) observances.unshift(...observance(offset, offset, changes.length === 0 ? 0 : begin + offset, []));
  return { tzid, lines: ['BEGIN:VTIMEZONE', `TZID:${tzid}`, ...observances, 'END:VTIMEZONE'] };
};
