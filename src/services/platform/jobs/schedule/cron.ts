/** Cron expressions in the syntax of Quartz: seconds first, six or seven fields, exactly one of the two day fields a `?`. */

export interface Cron {
  readonly seconds: readonly number[];
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  /** 1 to 12. */
  readonly months: readonly number[];
  /** Undefined means every year. */
  readonly years: ReadonlySet<number> | undefined;
  /** A day matches if one of these rules matches, by the day of the month or by the day of the week. */
  readonly days: readonly DayRule[];
}

export type DayRule =
  /** Days of the month. */
  | { readonly is: 'days'; readonly days: readonly number[] }
  /** The given number of days before the last day of the month; `weekday`: the nearest day from Monday to Friday in the same month. */
  | { readonly is: 'last'; readonly before: number; readonly weekday: boolean }
  | { readonly is: 'nearestWeekday'; readonly day: number }
  /** Days of the week; Sunday is 0. */
  | { readonly is: 'weekdays'; readonly weekdays: readonly number[] }
  | { readonly is: 'lastWeekday'; readonly weekday: number }
  | { readonly is: 'nthWeekday'; readonly weekday: number; readonly nth: number };

/** The message describes what is wrong with the expression. */
export class CronError extends Error {}

interface FieldRule {
  readonly title: string;
  readonly least: number;
  readonly most: number;
  readonly names?: readonly string[];
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

const SECOND: FieldRule = { title: 'second', least: 0, most: 59 };
const MINUTE: FieldRule = { title: 'minute', least: 0, most: 59 };
const HOUR: FieldRule = { title: 'hour', least: 0, most: 23 };
const DAY: FieldRule = { title: 'day of month', least: 1, most: 31 };
const MONTH: FieldRule = { title: 'month', least: 1, most: 12, names: MONTHS };
const WEEKDAY: FieldRule = { title: 'day of week', least: 1, most: 7, names: WEEKDAYS };
const YEAR: FieldRule = { title: 'year', least: 1970, most: 2099 };

export const LAST_YEAR = YEAR.most;

const LONGEST = 500;

export function parseCron(expression: string): Cron {
  if (expression.length > LONGEST) throw new CronError(`it is longer than ${LONGEST} characters`);
  const fields = expression.trim().toUpperCase().split(/\s+/);
  if (fields.length < 6 || fields.length > 7)
    throw new CronError(`it has ${expression.trim() === '' ? 0 : fields.length} fields instead of 6 or 7`);
  const [second = '', minute = '', hour = '', day = '', month = '', weekday = '', year = '*'] = fields;
  if ((day === '?') === (weekday === '?'))
    throw new CronError("exactly one of the fields 'day of month' and 'day of week' must be '?'");
  return {
    seconds: valuesOf(SECOND, second),
    minutes: valuesOf(MINUTE, minute),
    hours: valuesOf(HOUR, hour),
    months: valuesOf(MONTH, month),
    years: year === '*' ? undefined : new Set(valuesOf(YEAR, year)),
    days: day === '?' ? weekdayRules(weekday) : dayRules(day),
  };
}

function dayRules(field: string): DayRule[] {
  const plain: string[] = [];
  const rules: DayRule[] = [];
  for (const part of field.split(',')) {
    const last = /^L(?:-(\d{1,2}))?(W)?$/.exec(part);
    const nearest = /^(?:(\d{1,2})W|W(\d{1,2}))$/.exec(part);
    if (last) {
      const before = Number(last[1] ?? 0);
      if (before > 30) throw wrong(DAY, part, 'at most 30 days before the last');
      rules.push({ is: 'last', before, weekday: last[2] !== undefined });
    } else if (nearest) {
      rules.push({ is: 'nearestWeekday', day: numberOf(DAY, (nearest[1] ?? nearest[2]) as string) });
    } else plain.push(part);
  }
  if (plain.length > 0) rules.push({ is: 'days', days: valuesOf(DAY, plain.join(',')) });
  return rules;
}

function weekdayRules(field: string): DayRule[] {
  const plain: string[] = [];
  const rules: DayRule[] = [];
  for (const part of field.split(',')) {
    const last = /^(\d|[A-Z]{3})L$/.exec(part);
    const nth = /^(\d|[A-Z]{3})#(\d)$/.exec(part);
    if (last) rules.push({ is: 'lastWeekday', weekday: numberOf(WEEKDAY, last[1] as string) - 1 });
    else if (nth) {
      const count = Number(nth[2]);
      if (count < 1 || count > 5) throw wrong(WEEKDAY, part, "a number from 1 to 5 after '#'");
      rules.push({ is: 'nthWeekday', weekday: numberOf(WEEKDAY, nth[1] as string) - 1, nth: count });
    } else plain.push(part === 'L' ? '7' : part);
  }
  if (plain.length > 0) {
    const weekdays = valuesOf(WEEKDAY, plain.join(',')).map((number) => number - 1);
    rules.push({ is: 'weekdays', weekdays });
  }
  return rules;
}

/** The values of a field with lists, ranges and steps, ascending. A range may wrap around: `22-2` of hours is 22, 23, 0, 1, 2. */
function valuesOf(rule: FieldRule, field: string): readonly number[] {
  const found = new Set<number>();
  for (const part of field.split(',')) for (const value of partValues(rule, part)) found.add(value);
  return [...found].sort((one, other) => one - other);
}

function partValues(rule: FieldRule, part: string): number[] {
  const { least, most } = rule;
  const [range = '', step, ...rest] = part.split('/');
  if (rest.length > 0 || part === '') throw wrong(rule, part, 'a value, a range or a step');
  const size = most - least + 1;
  const every = step === undefined ? 1 : stepOf(rule, part, step);
  const isOpen = range === '*' || (range === '' && step !== undefined);
  const [from, to, ...more] = range.split('-');
  if (more.length > 0) throw wrong(rule, part, 'a value, a range or a step');
  const first = isOpen ? least : numberOf(rule, from as string);
  const end = isOpen || (to === undefined && step !== undefined) ? most : numberOf(rule, to ?? (from as string));
  const last = end >= first ? end : end + size;
  if (last > most && rule === YEAR) throw wrong(rule, part, 'a range that does not go backwards');
  const values: number[] = [];
  for (let value = first; value <= last; value += every) values.push(((value - least) % size) + least);
  return values;
}

function stepOf(rule: FieldRule, part: string, step: string): number {
  const every = /^\d{1,4}$/.test(step) ? Number(step) : 0;
  if (every < 1 || every > rule.most) throw wrong(rule, part, `a step from 1 to ${rule.most}`);
  return every;
}

function numberOf(rule: FieldRule, word: string): number {
  const named = rule.names?.indexOf(word) ?? -1;
  const value = named >= 0 ? named + 1 : /^\d{1,4}$/.test(word) ? Number(word) : Number.NaN;
  if (!(value >= rule.least && value <= rule.most))
    throw wrong(rule, word, `a value from ${rule.least} to ${rule.most}`);
  return value;
}

const wrong = ({ title }: FieldRule, part: string, expected: string): CronError =>
  new CronError(`the field '${title}' has '${part}' where ${expected} is expected`);

const MINUTES_IN_HOUR = 60;
const SECONDS_IN_MINUTE = 60;

/** The shortest time between two firings in seconds if it is less than a minute; otherwise Infinity. */
export function shortestGap({ seconds, minutes }: Cron): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let at = 1; at < seconds.length; at++)
    shortest = Math.min(shortest, (seconds[at] as number) - (seconds[at - 1] as number));
  const hasNeighbours = minutes.some((minute) => minutes.includes((minute + 1) % MINUTES_IN_HOUR));
  const overMinute = SECONDS_IN_MINUTE - (seconds.at(-1) as number) + (seconds[0] as number);
  return hasNeighbours ? Math.min(shortest, overMinute) : shortest;
}
