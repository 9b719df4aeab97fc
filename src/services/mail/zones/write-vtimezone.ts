import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/time/index.ts';
import { plainRule, writeRule } from '../recurrence/rule.ts';
import type { Rule } from '../recurrence/types.ts';
import { civilOf, dayOfCivil, daysInMonth, weekdayOf, yearOfDay } from './civil.ts';
import { isCustomZone } from './custom.ts';
import { dayOfWall, formatWall, timeOfDay, type Wall, type ZoneName } from './wall.ts';
import { offsetAt, type Transition, transitionsBetween } from './zone.ts';

/** The definition of a zone for a calendar that is sent, and the name that its times refer to. */
export interface Vtimezone {
  readonly tzid: string;
  readonly lines: readonly string[];
}

/** A name for zones that have none; other calendars then go by the rules. */
const CUSTOM_TZID = 'Customized Time Zone';
/** A yearly rule has to hold for so long before it is written as one: by then, weekdays have been on every date they can be on. */
const YEARS_OF_RULE = 12;
/** How long a rule may take to settle, and how far changes without a rule (Ramadan) are listed one by one. */
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

/** One STANDARD or DAYLIGHT. The one with more hours is daylight time, also where tzdata calls it standard (Dublin). */
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

/** The days of the month that local times are on. */
const datesOf = (walls: readonly Wall[]): readonly number[] => walls.map((wall) => civilOf(dayOfWall(wall)).day);

const allEqual = (values: readonly number[]): boolean => values.every((value) => value === values[0]);

/** The rule that gives these local times, one a year; undefined if no rule of a weekday in a month or of a date does. */
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
  // The first such weekday on or after a date.
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

/** Changes that follow no rule, each kind as one observance with its dates. Some programs go by RDATE alone, so that DTSTART is repeated. */
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
 * The VTIMEZONE of a zone from the year before `around` on: by yearly rules where the zone has them, change by change before that and where
 * it has none, and with one offset where nothing changes. `tzid` is how the calendar names the zone: its IANA name by default.
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
  // Other programs take UTC for times before the first observance.
  const isSilent = transitionsBetween(zone, begin, yearBegin(year + 1)).length === 0;
  const offset = offsetAt(zone, begin);
  if (isSilent) observances.unshift(...observance(offset, offset, changes.length === 0 ? 0 : begin + offset, []));
  return { tzid, lines: ['BEGIN:VTIMEZONE', `TZID:${tzid}`, ...observances, 'END:VTIMEZONE'] };
};
