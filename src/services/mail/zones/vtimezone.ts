import { DAY_MS } from '../../../kernel/time/index.ts';
import { occurrences } from '../recurrence/expand.ts';
import { parseRule } from '../recurrence/rule.ts';
import type { Rule } from '../recurrence/types.ts';
import { civilOf, type Day, dayOfCivil, daysInMonth, weekdayFrom, weekdayOf, yearOfDay } from './civil.ts';
import {
  type ChangeDay,
  type CustomRules,
  changeInYear,
  formatCustomZone,
  type YearlyChange,
  yearDayOf,
} from './custom.ts';
import { WINDOWS_ZONES, zoneOf } from './names.ts';
import { dayOfWall, FIRST_WALL, LAST_WALL, timeOfDay, type Wall, type ZoneName } from './wall.ts';
import { offsetOnce, type Transition, transitionsBetween } from './zone.ts';

export { type Vtimezone, vtimezoneOf } from './write-vtimezone.ts';

/** STANDARD or DAYLIGHT of a VTIMEZONE. Offsets are milliseconds east of UTC; `start` and `dates` are wall-clock times in `offsetFrom`. */
export interface Observance {
  readonly offsetFrom: number;
  readonly offsetTo: number;
  readonly start: Wall;
  readonly rule?: string;
  readonly dates: readonly Wall[];
  readonly isDaylight: boolean;
}

/** Bounds on the parts of a received VTIMEZONE that are read, newest observances first. They always include those of the present time. */
const OBSERVANCES_READ = 50;
const DATES_READ = 1_000;
const RULE_WORK = 400;
const LARGEST_OFFSET = DAY_MS;
/**
 * Years around the event that are compared, to distinguish similar rules: within six years, every weekday rule differs from every other.
 */
const YEARS_BEFORE = 1;
const YEARS_AFTER = 5;

/** An observance with a parsed rule and valid numbers. */
interface Usable {
  readonly observance: Observance;
  readonly rule?: Rule;
}

const isTime = (wall: number): boolean => wall >= FIRST_WALL && wall <= LAST_WALL;
const isOffset = (offset: number): boolean => Math.abs(offset) < LARGEST_OFFSET;

const usableOf = (observances: readonly Observance[]): readonly Usable[] =>
  observances
    .filter(({ offsetFrom, offsetTo, start }) => isOffset(offsetFrom) && isOffset(offsetTo) && isTime(start))
    .sort((a, b) => b.start - a.start)
    .slice(0, OBSERVANCES_READ)
    .map((observance) => {
      const rule = observance.rule === undefined ? undefined : parseRule(observance.rule);
      return rule ? { observance, rule } : { observance };
    });

const yearBegin = (year: number): number => dayOfCivil(year, 1, 1) * DAY_MS;

/** The onsets of an observance in [from, to), as offset changes. The rule is in the local time before the change; UNTIL is in UTC. */
const onsets = ({ observance, rule }: Usable, from: number, to: number): Transition[] => {
  const { start, dates, offsetFrom, offsetTo } = observance;
  // The expansion works in local time, so a UTC UNTIL becomes the local time before the change.
  const until =
    rule?.until?.kind === 'utc' ? { kind: 'local' as const, wall: rule.until.at + offsetFrom } : rule?.until;
  const rules = rule ? [until ? { ...rule, until } : rule] : [];
  const series = {
    start,
    zone: 'UTC',
    rules,
    dates: dates.slice(0, DATES_READ).filter(isTime),
    exDates: [],
    isAllDay: false,
  };
  const walls = occurrences(series, { from: from + offsetFrom, to: to + offsetFrom, work: RULE_WORK });
  return Array.from(walls, (wall) => ({ at: wall - offsetFrom, before: offsetFrom, after: offsetTo }));
};

/** The offset changes of a VTIMEZONE in [from, to), without changes that have no effect, and the offset before the first change. */
interface Timeline {
  readonly first: number;
  readonly changes: readonly Transition[];
}

const timelineOf = (usable: readonly Usable[], from: number, to: number): Timeline => {
  const found = usable.flatMap((entry) => onsets(entry, from, to)).sort((a, b) => a.at - b.at);
  const first = offsetBefore(usable, from, found[0]);
  const changes: Transition[] = [];
  let offset = first;
  for (const { at, after } of found) {
    if (after !== offset) changes.push({ at, before: offset, after });
    offset = after;
  }
  return { first, changes };
};

/** The offset at `from`: from the last onset before it, otherwise the offset before the first onset. */
const offsetBefore = (usable: readonly Usable[], from: number, next: Transition | undefined): number => {
  let last: Transition | undefined;
  for (const entry of usable) {
    for (const onset of [...onsets(entry, from - 366 * DAY_MS, from), ...earlierOnsets(entry, from)]) {
      if (onset.at < from && (!last || onset.at > last.at)) last = onset;
    }
  }
  // The observances are sorted, newest first.
  return last?.after ?? next?.before ?? usable.at(-1)?.observance.offsetFrom ?? 0;
};

/** Onsets of more than a year ago that can still be in effect: the listed dates, and the last onset of a rule that has ended. */
const earlierOnsets = ({ observance, rule }: Usable, from: number): Transition[] => {
  const { start, dates, offsetFrom, offsetTo } = observance;
  const until = rule?.until?.kind === 'utc' ? rule.until.at : undefined;
  const ended =
    until !== undefined && until < from
      ? onsets({ observance, ...(rule && { rule }) }, until - 366 * DAY_MS, until + 1)
      : [];
  const given = [start, ...dates.slice(0, DATES_READ).filter(isTime)];
  return [...ended, ...given.map((wall) => ({ at: wall - offsetFrom, before: offsetFrom, after: offsetTo }))];
};

const isSameTimeline = (zone: ZoneName, { first, changes }: Timeline, from: number, to: number): boolean => {
  if (offsetOnce(zone, from) !== (changes[0]?.at === from ? changes[0].after : first)) return false;
  const own = transitionsBetween(zone, from, to);
  return (
    own.length === changes.length &&
    own.every(({ at, after }, index) => at === changes[index]?.at && after === changes[index]?.after)
  );
};

/** The preferred zones if several have the same rules, most commonly meant first. */
const PREFERRED: readonly ZoneName[] = [
  'America/Los_Angeles',
  'America/Sao_Paulo',
  'Europe/Moscow',
  'Asia/Tokyo',
  'Africa/Lagos',
];

/** The Windows zones, which include every kind of rules in use. */
const CANDIDATES: readonly ZoneName[] = [...PREFERRED, ...WINDOWS_ZONES.map(({ iana }) => iana)];

const namedZone = (usable: readonly Usable[], year: number): ZoneName | undefined => {
  const spans: readonly (readonly [from: number, to: number])[] = [
    [yearBegin(year - YEARS_BEFORE), yearBegin(year + 2)],
    [yearBegin(year), yearBegin(year + 1)],
  ];
  for (const [from, to] of spans) {
    const timeline = timelineOf(usable, from, to);
    const zone = CANDIDATES.find((candidate) => isSameTimeline(candidate, timeline, from, to));
    if (zone !== undefined) return zone;
  }
  return undefined;
};

/** Candidate rules for a day: the n-th or last weekday of its month, shifted by up to six days, and its date. */
const candidates = (day: Day, time: number): YearlyChange[] => {
  const found: YearlyChange[] = [];
  for (let shift = 0; shift < 7; shift++) {
    const { year, month, day: date } = civilOf(day - shift);
    const weekday = weekdayFrom(weekdayOf(day) - shift);
    const weeks = [Math.ceil(date / 7), ...(date + 7 > daysInMonth(year, month) ? [5] : [])];
    for (const week of new Set(weeks)) {
      const changeDay: ChangeDay = { kind: 'weekday', month, week, weekday };
      found.push({ day: changeDay, time: time + shift * DAY_MS });
    }
  }
  const { month, day: date } = civilOf(day);
  return [...found, { day: { kind: 'date', yearDay: yearDayOf(month, date) }, time }];
};

/** The yearly rule that fits all of these local times, otherwise the date of the first. */
const yearlyChange = (walls: readonly Wall[], first: Wall): YearlyChange => {
  const all = candidates(dayOfWall(first), timeOfDay(first));
  const fitting = all.find((change) =>
    walls.every((wall) => changeInYear(change, yearOfDay(dayOfWall(wall))) === wall),
  );
  return fitting ?? all[all.length - 1] ?? { day: { kind: 'date', yearDay: 1 }, time: 0 };
};

const customZone = (usable: readonly Usable[], around: Wall): ZoneName => {
  const year = yearOfDay(dayOfWall(around));
  const ofYear = timelineOf(usable, yearBegin(year), yearBegin(year + 1));
  const [one, two, ...more] = ofYear.changes;
  if (one && two && more.length === 0 && one.before === two.after) {
    const all = timelineOf(usable, yearBegin(year), yearBegin(year + YEARS_AFTER)).changes;
    const [toDaylight, toStandard] = one.after > one.before ? [one, two] : [two, one];
    const wallsOf = (kind: Transition): Wall[] =>
      all.filter(({ after }) => after === kind.after).map(({ at, before }) => at + before);
    const rules: CustomRules = {
      standard: toStandard.after,
      daylight: {
        offset: toDaylight.after,
        begin: yearlyChange(wallsOf(toDaylight), toDaylight.at + toDaylight.before),
        end: yearlyChange(wallsOf(toStandard), toStandard.at + toStandard.before),
      },
    };
    return formatCustomZone(rules);
  }
  const offsets = ofYear.changes.filter(({ at, before }) => at + before <= around).map(({ after }) => after);
  return formatCustomZone({ standard: offsets.at(-1) ?? ofYear.first });
};

/**
 * Resolves the zone of a VTIMEZONE: by one of its names, by its rules in the years around the event, otherwise as a custom zone with these
 * rules. Returns undefined if the names are unknown and there is no observance. `hints` are other names (X-LIC-LOCATION, X-WR-TIMEZONE).
 */
export const zoneOfVtimezone = (
  tzid: string,
  observances: readonly Observance[],
  around: Wall,
  hints: readonly string[] = [],
): ZoneName | undefined => {
  for (const name of [tzid, ...hints]) {
    const zone = zoneOf(name);
    if (zone !== undefined) return zone;
  }
  const usable = usableOf(observances);
  if (usable.length === 0) return undefined;
  const time = isTime(around) ? around : 0;
  return namedZone(usable, yearOfDay(dayOfWall(time))) ?? customZone(usable, time);
};
