import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/time/index.ts';
import { type Weekday, weekdayFrom } from '../zones/civil.ts';
import { formatDate, formatWall, parseDate, type Wall } from '../zones/wall.ts';
import { FREQUENCIES, type Frequency, type Rule, type Until, type WeekdayNumber } from './types.ts';

/** Longer than any realistic rule. */
const TEXT_LIMIT = 8_192;
const LARGEST_NUMBER = 2_147_483_647;

const WEEKDAY_CODES = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const;
/** Typed as strings, so that any string can be searched for. */
const CODES: readonly string[] = WEEKDAY_CODES;
const WEEKDAY_NUMBER = /^([+-]?\d{1,2})?(SU|MO|TU|WE|TH|FR|SA)$/;
const UNTIL = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z)?)?$/;

type Lists = Pick<
  Rule,
  'bySecond' | 'byMinute' | 'byHour' | 'byMonthDay' | 'byYearDay' | 'byWeekNo' | 'byMonth' | 'bySetPos'
>;

const NO_LISTS: Lists = {
  bySecond: [],
  byMinute: [],
  byHour: [],
  byMonthDay: [],
  byYearDay: [],
  byWeekNo: [],
  byMonth: [],
  bySetPos: [],
};

interface NumberList {
  readonly part: string;
  readonly key: keyof Lists;
  readonly lowest: number;
  readonly highest: number;
  /** True if -n..-1 are allowed as well as 1..n. */
  readonly isSigned: boolean;
}

/** In the order in which rules are written. */
const NUMBER_LISTS: readonly NumberList[] = [
  { part: 'BYMONTH', key: 'byMonth', lowest: 1, highest: 12, isSigned: false },
  { part: 'BYWEEKNO', key: 'byWeekNo', lowest: 1, highest: 53, isSigned: true },
  { part: 'BYYEARDAY', key: 'byYearDay', lowest: 1, highest: 366, isSigned: true },
  { part: 'BYMONTHDAY', key: 'byMonthDay', lowest: 1, highest: 31, isSigned: true },
  { part: 'BYHOUR', key: 'byHour', lowest: 0, highest: 23, isSigned: false },
  { part: 'BYMINUTE', key: 'byMinute', lowest: 0, highest: 59, isSigned: false },
  { part: 'BYSECOND', key: 'bySecond', lowest: 0, highest: 60, isSigned: false },
  { part: 'BYSETPOS', key: 'bySetPos', lowest: 1, highest: 366, isSigned: true },
];

/** Parts of RFC 7529 that state the default of RFC 5545. */
const WITHOUT_EFFECT = new Set(['RSCALE=GREGORIAN', 'SKIP=OMIT']);

/** Name and text of every part. Returns undefined if a part is malformed or repeated. */
const partsOf = (text: string): Map<string, string> | undefined => {
  const parts = new Map<string, string>();
  for (const part of text.toUpperCase().split(';')) {
    // A trailing semicolon and extensions (`X-...`) are common and harmless.
    if (part === '' || part.startsWith('X-') || WITHOUT_EFFECT.has(part)) continue;
    const [name = '', value = '', ...more] = part.split('=').map((side) => side.trim());
    if (value === '' || more.length > 0 || parts.has(name)) return undefined;
    parts.set(name, value);
  }
  return parts;
};

const parseNumber = (text: string, lowest: number, highest: number): number | undefined => {
  if (!/^[+-]?\d{1,10}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= lowest && value <= highest ? value : undefined;
};

/** Sorted, without duplicates; empty for a missing part. */
const parseList = (
  text: string | undefined,
  { lowest, highest, isSigned }: NumberList,
): readonly number[] | undefined => {
  const values = new Set<number>();
  for (const item of text?.split(',') ?? []) {
    const value = parseNumber(item, isSigned ? -highest : lowest, highest);
    if (value === undefined || (isSigned && value === 0)) return undefined;
    values.add(value);
  }
  return [...values].sort((a, b) => a - b);
};

const parseByDay = (text: string | undefined): readonly WeekdayNumber[] | undefined => {
  const days = new Map<string, WeekdayNumber>();
  for (const item of text?.split(',') ?? []) {
    const match = WEEKDAY_NUMBER.exec(item);
    const ordinal = Number(match?.[1] ?? 0);
    if (!match || (match[1] !== undefined && ordinal === 0) || Math.abs(ordinal) > 53) return undefined;
    const weekday = weekdayFrom(CODES.indexOf(match[2] ?? ''));
    days.set(`${ordinal} ${weekday}`, { weekday, ordinal });
  }
  return [...days.values()].sort((a, b) => a.ordinal - b.ordinal || a.weekday - b.weekday);
};

const parseUntil = (text: string): Until | undefined => {
  const match = UNTIL.exec(text);
  if (!match) return undefined;
  const [, year, month, date, hourText, minuteText, secondText, zulu] = match;
  const day = parseDate(`${year}-${month}-${date}`);
  if (day === undefined || hourText === undefined) return day === undefined ? undefined : { kind: 'date', day };
  const [hour, minute, second] = [Number(hourText), Number(minuteText), Number(secondText)];
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const at: Wall = day + hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS;
  return zulu ? { kind: 'utc', at } : { kind: 'local', wall: at };
};

const isFrequency = (text: string | undefined): text is Frequency =>
  FREQUENCIES.some((frequency) => frequency === text);

/** False for combinations that RFC 5545, section 3.3.10, forbids as meaningless. */
const isMeaningful = (rule: Rule): boolean => {
  const { frequency } = rule;
  const hasOrdinal = rule.byDay.some(({ ordinal }) => ordinal !== 0);
  if (hasOrdinal && frequency !== 'MONTHLY' && frequency !== 'YEARLY') return false;
  if (hasOrdinal && rule.byWeekNo.length > 0) return false;
  if (rule.byWeekNo.length > 0 && frequency !== 'YEARLY') return false;
  if (rule.byYearDay.length > 0 && ['DAILY', 'WEEKLY', 'MONTHLY'].includes(frequency)) return false;
  if (rule.byMonthDay.length > 0 && frequency === 'WEEKLY') return false;
  const hasSet = rule.byDay.length > 0 || NUMBER_LISTS.some(({ key }) => key !== 'bySetPos' && rule[key].length > 0);
  return rule.bySetPos.length === 0 || hasSet;
};

const KNOWN_PARTS = new Set([
  'FREQ',
  'INTERVAL',
  'COUNT',
  'UNTIL',
  'WKST',
  'BYDAY',
  ...NUMBER_LISTS.map(({ part }) => part),
]);

/**
 * Returns undefined for a text that is not a rule of RFC 5545, or is a meaningless one. COUNT and UNTIL may be combined: the earlier end
 * counts.
 */
export const parseRule = (text: string): Rule | undefined => {
  if (text.length > TEXT_LIMIT) return undefined;
  const parts = partsOf(text.trim().replace(/^RRULE:/i, ''));
  if (!parts || [...parts.keys()].some((name) => !KNOWN_PARTS.has(name))) return undefined;
  const frequency = parts.get('FREQ');
  const interval = parseNumber(parts.get('INTERVAL') ?? '1', 1, LARGEST_NUMBER);
  const count = parseNumber(parts.get('COUNT') ?? '1', 1, LARGEST_NUMBER);
  const untilText = parts.get('UNTIL');
  const until = untilText === undefined ? undefined : parseUntil(untilText);
  const byDay = parseByDay(parts.get('BYDAY'));
  const weekStart = CODES.indexOf(parts.get('WKST') ?? 'MO');
  if (!isFrequency(frequency) || interval === undefined || count === undefined || !byDay || weekStart < 0)
    return undefined;
  if (untilText !== undefined && until === undefined) return undefined;
  const lists: Record<keyof Lists, readonly number[]> = { ...NO_LISTS };
  for (const list of NUMBER_LISTS) {
    const values = parseList(parts.get(list.part), list);
    if (!values) return undefined;
    lists[list.key] = values;
  }
  const rule: Rule = {
    frequency,
    interval,
    ...(parts.has('COUNT') && { count }),
    ...(until && { until }),
    ...(parts.has('WKST') && { weekStart: weekdayFrom(weekStart) }),
    ...lists,
    byDay,
  };
  return isMeaningful(rule) ? rule : undefined;
};

/** A rule without BY parts, for callers to complete. */
export const plainRule = (frequency: Frequency, interval: number): Rule => ({
  frequency,
  interval,
  ...NO_LISTS,
  byDay: [],
});

const compact = (text: string): string => text.replaceAll('-', '').replaceAll(':', '');

const writeUntil = (until: Until): string => {
  if (until.kind === 'date') return compact(formatDate(until.day));
  if (until.kind === 'local') return compact(formatWall(until.wall).slice(0, 19));
  return `${compact(formatWall(until.at).slice(0, 19))}Z`;
};

const writeWeekday = (weekday: Weekday): string => WEEKDAY_CODES[weekday];

const writeByDay = ({ ordinal, weekday }: WeekdayNumber): string =>
  `${ordinal === 0 ? '' : ordinal}${writeWeekday(weekday)}`;

/** Writes a rule as the value of an RRULE property. */
export const writeRule = (rule: Rule): string => {
  const parts = [`FREQ=${rule.frequency}`];
  if (rule.interval !== 1) parts.push(`INTERVAL=${rule.interval}`);
  if (rule.count !== undefined) parts.push(`COUNT=${rule.count}`);
  if (rule.until) parts.push(`UNTIL=${writeUntil(rule.until)}`);
  for (const { part, key } of NUMBER_LISTS) {
    if (part === 'BYHOUR' && rule.byDay.length > 0) parts.push(`BYDAY=${rule.byDay.map(writeByDay).join(',')}`);
    if (rule[key].length > 0) parts.push(`${part}=${rule[key].join(',')}`);
  }
  if (rule.weekStart !== undefined) parts.push(`WKST=${writeWeekday(rule.weekStart)}`);
  return parts.join(';');
};
