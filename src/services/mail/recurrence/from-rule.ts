import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/time/index.ts';
import { type Civil, civilOf, type Weekday, weekdayOf } from '../zones/civil.ts';
import { dayOfWall, formatDate, timeOfDay, type Wall } from '../zones/wall.ts';
import { DEFAULT_WEEK_START } from './day-filter.ts';
import { type DayShape, dayShapeOf, keepsOnly } from './day-shape.ts';
import { endOf, occurrences } from './expand.ts';
import { firstOccurrence } from './first-occurrence.ts';
import {
  DAYS_OF_WEEK,
  type DayOfWeek,
  NO_DATE,
  type PatternedRecurrence,
  type RecurrencePattern,
  type RecurrenceRange,
  type Rule,
  type Series,
  type Until,
} from './types.ts';

/**
 * `exact`: the pattern has the same occurrences as the rules. `nearest`: the pattern approximates the rules, but occurrences are still
 * computed from the rules (the 31st of every month: a rule skips short months, a pattern takes their last day). `none`: no pattern
 * approximates the rules.
 */
export type Conversion =
  | { readonly fit: 'exact' | 'nearest'; readonly recurrence: PatternedRecurrence }
  | { readonly fit: 'none' };

const NONE: Conversion = { fit: 'none' };

const UNUSED: Omit<RecurrencePattern, 'type' | 'interval'> = {
  month: 0,
  dayOfMonth: 0,
  daysOfWeek: [],
  firstDayOfWeek: 'sunday',
  index: 'first',
};

/** A pattern, and whether it has exactly the days of the rule. */
interface Shape {
  readonly pattern: RecurrencePattern;
  readonly isExact: boolean;
}

const exact = (pattern: RecurrencePattern): Shape => ({ pattern, isExact: true });

const namesOf = (days: readonly Weekday[]): readonly DayOfWeek[] =>
  [...new Set(days)].sort((a, b) => a - b).map((day) => DAYS_OF_WEEK[day]);

const weekly = (rule: Rule, interval: number, days: readonly Weekday[]): Shape =>
  exact({
    ...UNUSED,
    type: 'weekly',
    interval,
    daysOfWeek: namesOf(days),
    firstDayOfWeek: DAYS_OF_WEEK[rule.weekStart ?? DEFAULT_WEEK_START],
  });

const monthlyShape = (rule: Rule, shape: DayShape): Shape | undefined => {
  const { interval } = rule;
  if (shape.kind === 'every') return interval === 1 ? weekly(rule, 1, shape.days) : undefined;
  if (shape.kind === 'index') {
    return exact({ ...UNUSED, type: 'relativeMonthly', interval, daysOfWeek: namesOf(shape.days), index: shape.index });
  }
  return { pattern: { ...UNUSED, type: 'absoluteMonthly', interval, dayOfMonth: shape.day }, isExact: shape.isExact };
};

const yearlyShape = (interval: number, month: number, shape: DayShape): Shape | undefined => {
  if (shape.kind === 'every') return undefined;
  if (shape.kind === 'index') {
    const daysOfWeek = namesOf(shape.days);
    return exact({ ...UNUSED, type: 'relativeYearly', interval, month, daysOfWeek, index: shape.index });
  }
  const pattern: RecurrencePattern = { ...UNUSED, type: 'absoluteYearly', interval, month, dayOfMonth: shape.day };
  return { pattern, isExact: shape.isExact };
};

const ofDaily = (rule: Rule): Shape | undefined => {
  const { interval, byDay, byMonth, byMonthDay } = rule;
  if (byMonth.length > 0 || byMonthDay.length > 0 || !keepsOnly(rule.bySetPos)) return undefined;
  if (byDay.length === 0 || byDay.length === 7) return exact({ ...UNUSED, type: 'daily', interval });
  return interval === 1
    ? weekly(
        rule,
        1,
        byDay.map(({ weekday }) => weekday),
      )
    : undefined;
};

const ofWeekly = (rule: Rule, startDay: Weekday): Shape | undefined => {
  const { interval, byDay, byMonth, bySetPos } = rule;
  if (byMonth.length > 0) return undefined;
  const days = byDay.length > 0 ? byDay.map(({ weekday }) => weekday) : [startDay];
  return bySetPos.length === 0 || (days.length === 1 && keepsOnly(bySetPos)) ? weekly(rule, interval, days) : undefined;
};

const ofMonthly = (rule: Rule, start: Civil): Shape | undefined => {
  const [month, ...more] = rule.byMonth;
  if (more.length > 0) return undefined;
  const shape = dayShapeOf(rule, start.day, month);
  if (!shape) return undefined;
  if (month === undefined) return monthlyShape(rule, shape);
  // A monthly rule limited to one month of the year.
  return rule.interval === 1 ? yearlyShape(1, month, shape) : undefined;
};

const ofYearly = (rule: Rule, start: Civil): Shape | undefined => {
  const [month, ...more] = rule.byMonth;
  if (more.length > 0) return undefined;
  const namesDays = rule.byDay.length > 0 || rule.byMonthDay.length > 0;
  if (month !== undefined || !namesDays) {
    const ownMonth = month ?? start.month;
    const shape = dayShapeOf(rule, start.day, ownMonth);
    return shape && yearlyShape(rule.interval, ownMonth, shape);
  }
  // Without BYMONTH, BYMONTHDAY and plain BYDAY apply to every month. Ordinals and BYSETPOS count within the year, which no pattern can
  // express.
  const countsInYear = rule.bySetPos.length > 0 || rule.byDay.some(({ ordinal }) => ordinal !== 0);
  if (countsInYear || rule.interval !== 1) return undefined;
  const shape = dayShapeOf(rule, start.day, undefined);
  return shape && monthlyShape(rule, shape);
};

/** BYHOUR, BYMINUTE and BYSECOND have no effect if they repeat the time of DTSTART. */
const hasTimesOfStart = (rule: Rule, start: Wall): boolean => {
  const time = timeOfDay(start);
  const agrees = (list: readonly number[], value: number): boolean => list.every((item) => item === value);
  return (
    agrees(rule.byHour, Math.floor(time / HOUR_MS)) &&
    agrees(rule.byMinute, Math.floor((time % HOUR_MS) / MINUTE_MS)) &&
    agrees(rule.bySecond, Math.floor((time % MINUTE_MS) / SECOND_MS))
  );
};

const shapeOf = (rule: Rule, { start, isAllDay }: Series): Shape | undefined => {
  if (rule.byYearDay.length > 0 || rule.byWeekNo.length > 0) return undefined;
  if (!isAllDay && !hasTimesOfStart(rule, start)) return undefined;
  const startDay = dayOfWall(start);
  if (rule.frequency === 'DAILY') return ofDaily(rule);
  if (rule.frequency === 'WEEKLY') return ofWeekly(rule, weekdayOf(startDay));
  if (rule.frequency === 'MONTHLY') return ofMonthly(rule, civilOf(startDay));
  return rule.frequency === 'YEARLY' ? ofYearly(rule, civilOf(startDay)) : undefined;
};

/** The last day whose occurrence UNTIL includes; at least the day of DTSTART, which is always an occurrence. */
const lastDate = (until: Until, { start, zone, isAllDay }: Series): Wall => {
  const end = endOf(until, zone, isAllDay);
  let day = dayOfWall(end.last);
  const isAfter = (wall: Wall): boolean => wall > end.last || !end.includes(wall);
  while (day > dayOfWall(start) && isAfter(day * DAY_MS + timeOfDay(start))) day -= 1;
  return Math.max(day, dayOfWall(start)) * DAY_MS;
};

/** True if COUNT ends the series on or before the day on which UNTIL ends it. */
const endsByCount = (rule: Rule, series: Series, endDate: Wall): boolean => {
  const { until: _, ...counted } = rule;
  const after = occurrences({ ...series, rules: [counted], dates: [], exDates: [] }, { from: endDate + DAY_MS });
  for (const _occurrence of after) return false;
  return !after.isIncomplete;
};

const rangeOf = (rule: Rule, series: Series, recurrenceTimeZone: string): RecurrenceRange => {
  const open: RecurrenceRange = {
    type: 'noEnd',
    startDate: formatDate(series.start),
    endDate: NO_DATE,
    recurrenceTimeZone,
    numberOfOccurrences: 0,
  };
  const endDate = rule.until && lastDate(rule.until, series);
  if (rule.count !== undefined && (endDate === undefined || endsByCount(rule, series, endDate))) {
    return { ...open, type: 'numbered', numberOfOccurrences: rule.count };
  }
  return endDate === undefined ? open : { ...open, type: 'endDate', endDate: formatDate(endDate) };
};

/** The pattern that shows a series to clients of the API. Ignores EXDATE: excluded days are cancelled occurrences of the pattern. */
export const toPattern = (series: Series, recurrenceTimeZone: string): Conversion => {
  const [rule, ...others] = series.rules;
  const shape = rule && shapeOf(rule, series);
  if (!rule || !shape) return NONE;
  const startDay = dayOfWall(series.start) * DAY_MS;
  const isExact = shape.isExact && others.length === 0 && series.dates.length === 0;
  // DTSTART is an occurrence even if it does not match the rule; a pattern cannot express that.
  const hasStart = firstOccurrence(shape.pattern, startDay) === startDay;
  return {
    fit: isExact && hasStart ? 'exact' : 'nearest',
    recurrence: { pattern: shape.pattern, range: rangeOf(rule, series, recurrenceTimeZone) },
  };
};
