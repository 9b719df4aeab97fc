import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/time/index.ts';
import {
  type Day,
  dayOfCivil,
  daysInMonth,
  isLeapYear,
  type Weekday,
  weekdayFrom,
  weekdayOf,
  yearOfDay,
} from './civil.ts';
import type { ZoneName } from './wall.ts';
import type { Transition } from './zone.ts';

/**
 * Zones without a name. Their text form is the POSIX TZ variable (IEEE 1003.1, section 8.3) after `posix:`, always with the abbreviations
 * STD and DST: `posix:STD5DST4,M3.2.0/2,M11.1.0/2`. POSIX offsets count westwards; offsets in this module count eastwards.
 */
const PREFIX = 'posix:';

/** The day of a change: the n-th weekday of a month (5 is the last), or a day of the year, counted without 29 February. */
export type ChangeDay =
  | { readonly kind: 'weekday'; readonly month: number; readonly week: number; readonly weekday: Weekday }
  | { readonly kind: 'date'; readonly yearDay: number };

/** `time` counts milliseconds from midnight of `day` in the offset before the change; it can reach into the previous or the next day. */
export interface YearlyChange {
  readonly day: ChangeDay;
  readonly time: number;
}

export interface CustomRules {
  readonly standard: number;
  readonly daylight?: { readonly offset: number; readonly begin: YearlyChange; readonly end: YearlyChange };
}

const TEXT_LIMIT = 100;
const OFFSET = String.raw`[+-]?\d{1,2}(?::\d{2}){0,2}`;
const CHANGE = String.raw`(?:M\d{1,2}\.[1-5]\.[0-6]|J\d{1,3})(?:/[+-]?\d{1,3}(?::\d{2}){0,2})?`;
const ZONE = new RegExp(`^STD(${OFFSET})(?:DST(${OFFSET}),(${CHANGE}),(${CHANGE}))?$`);
const DAYS_BEFORE = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
const LONGEST_OFFSET = DAY_MS;
const LONGEST_TIME = 7 * DAY_MS;

export const isCustomZone = (zone: ZoneName): boolean => zone.startsWith(PREFIX);

const parseTime = (text: string): number => {
  const [hours = '0', minutes = '0', seconds = '0'] = text.replace(/^[+-]/, '').split(':');
  const size = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * SECOND_MS;
  return text.startsWith('-') ? -size : size;
};

const formatTime = (time: number): string => {
  const size = Math.abs(time);
  const parts = [
    Math.floor(size / HOUR_MS),
    Math.floor((size % HOUR_MS) / MINUTE_MS),
    Math.floor((size % MINUTE_MS) / SECOND_MS),
  ];
  while (parts.length > 1 && parts.at(-1) === 0) parts.pop();
  const [hours, ...rest] = parts;
  return [`${time < 0 ? '-' : ''}${hours}`, ...rest.map((part) => String(part).padStart(2, '0'))].join(':');
};

const parseChange = (text: string): YearlyChange | undefined => {
  const [dayText = '', timeText = '2'] = text.split('/');
  const time = parseTime(timeText);
  if (Math.abs(time) > LONGEST_TIME) return undefined;
  if (dayText.startsWith('J')) {
    const yearDay = Number(dayText.slice(1));
    return yearDay >= 1 && yearDay <= 365 ? { day: { kind: 'date', yearDay }, time } : undefined;
  }
  const [month = 0, week = 0, weekday = 0] = dayText.slice(1).split('.').map(Number);
  if (month < 1 || month > 12) return undefined;
  return { day: { kind: 'weekday', month, week, weekday: weekdayFrom(weekday) }, time };
};

const formatChange = ({ day, time }: YearlyChange): string => {
  const dayText = day.kind === 'date' ? `J${day.yearDay}` : `M${day.month}.${day.week}.${day.weekday}`;
  return `${dayText}/${formatTime(time)}`;
};

export const parseCustomZone = (zone: ZoneName): CustomRules | undefined => {
  if (!isCustomZone(zone) || zone.length > TEXT_LIMIT) return undefined;
  const match = ZONE.exec(zone.slice(PREFIX.length));
  if (!match) return undefined;
  const [, standardText = '', daylightText, beginText, endText] = match;
  const standard = -parseTime(standardText) || 0;
  if (Math.abs(standard) > LONGEST_OFFSET) return undefined;
  if (daylightText === undefined || beginText === undefined || endText === undefined) return { standard };
  const [offset, begin, end] = [-parseTime(daylightText) || 0, parseChange(beginText), parseChange(endText)];
  if (Math.abs(offset) > LONGEST_OFFSET || !begin || !end) return undefined;
  return { standard, daylight: { offset, begin, end } };
};

export const formatCustomZone = ({ standard, daylight }: CustomRules): ZoneName => {
  const head = `${PREFIX}STD${formatTime(-standard)}`;
  if (!daylight) return head;
  return `${head}DST${formatTime(-daylight.offset)},${formatChange(daylight.begin)},${formatChange(daylight.end)}`;
};

/** The n-th weekday of a month, 5 for the last. */
export const nthWeekday = (year: number, month: number, week: number, weekday: Weekday): Day => {
  const first = dayOfCivil(year, month, 1);
  const day = first + ((weekday - weekdayOf(first) + 7) % 7) + (week - 1) * 7;
  return day < first + daysInMonth(year, month) ? day : day - 7;
};

const dayOfChange = (day: ChangeDay, year: number): Day => {
  if (day.kind === 'weekday') return nthWeekday(year, day.month, day.week, day.weekday);
  const leapDay = isLeapYear(year) && day.yearDay > 59 ? 1 : 0;
  return dayOfCivil(year, 1, 1) + day.yearDay - 1 + leapDay;
};

/** The local time of a change in a year, in the offset before the change. */
export const changeInYear = ({ day, time }: YearlyChange, year: number): number =>
  dayOfChange(day, year) * DAY_MS + time;

/** The day of a year, counted without 29 February (which has the number of 1 March). */
export const yearDayOf = (month: number, day: number): number =>
  month === 2 && day === 29 ? 60 : (DAYS_BEFORE[month - 1] ?? 0) + day;

/** The changes of offset in [from, to). */
export const customTransitions = (rules: CustomRules, from: number, to: number): readonly Transition[] => {
  const { standard, daylight } = rules;
  if (!daylight) return [];
  const found: Transition[] = [];
  const lastYear = yearOfDay(Math.floor(to / DAY_MS)) + 1;
  for (let year = yearOfDay(Math.floor(from / DAY_MS)) - 1; year <= lastYear; year++) {
    found.push({ at: changeInYear(daylight.begin, year) - standard, before: standard, after: daylight.offset });
    found.push({ at: changeInYear(daylight.end, year) - daylight.offset, before: daylight.offset, after: standard });
  }
  return found.filter(({ at }) => at >= from && at < to).sort((a, b) => a.at - b.at);
};
