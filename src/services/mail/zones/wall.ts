import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/time/index.ts';
import { civilOf, type Day, dayOfCivil, daysInMonth, FIRST_YEAR, LAST_YEAR } from './civil.ts';

/** A wall-clock time without a zone: milliseconds since 1970 as if the time were UTC. */
export type Wall = number;

/**
 * A zone as one self-contained text: an IANA name (`Europe/Berlin`, `UTC`), or the rules themselves for a zone without a name
 * (`posix:STD-1DST-2,M3.5.0/2,M10.5.0/3`, see custom.ts).
 */
export type ZoneName = string;

export interface ZonedTime {
  readonly wall: Wall;
  readonly zone: ZoneName;
}

/** A date and time as a client writes it; `offset` (milliseconds east of UTC) is present if the text has one. */
export interface WrittenTime {
  readonly wall: Wall;
  readonly offset?: number;
}

/** The first and the last time that the API can express. */
export const FIRST_WALL: Wall = dayOfCivil(FIRST_YEAR, 1, 1) * DAY_MS;
export const LAST_WALL: Wall = (dayOfCivil(LAST_YEAR, 12, 31) + 1) * DAY_MS - 1;

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,12}))?)?([Zz]|[+-]\d{2}:?\d{2})?$/;
const TEXT_LIMIT = 64;

export const dayOfWall = (wall: Wall): Day => Math.floor(wall / DAY_MS);

export const timeOfDay = (wall: Wall): number => wall - dayOfWall(wall) * DAY_MS;

const pad = (value: number, digits: number): string => String(value).padStart(digits, '0');

/** Parses `2026-01-05` as midnight of that day. */
export const parseDate = (text: string): Wall | undefined => {
  const match = DATE.exec(text);
  if (!match) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year < FIRST_YEAR || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  return dayOfCivil(year, month, day) * DAY_MS;
};

/** `2026-01-05`. */
export const formatDate = (wall: Wall): string => {
  const { year, month, day } = civilOf(dayOfWall(wall));
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
};

const offsetOf = (text: string): number | undefined => {
  if (text === 'Z' || text === 'z') return 0;
  const digits = text.replace(':', '');
  const [hours, minutes] = [Number(digits.slice(1, 3)), Number(digits.slice(3, 5))];
  if (hours > 23 || minutes > 59) return undefined;
  return (text.startsWith('-') ? -1 : 1) * (hours * HOUR_MS + minutes * MINUTE_MS);
};

/** Parses a date with or without a time, with up to 12 fractional digits (truncated to milliseconds), with or without an offset. */
export const parseWrittenTime = (text: string): WrittenTime | undefined => {
  if (text.length > TEXT_LIMIT) return undefined;
  const date = parseDate(text);
  if (date !== undefined) return { wall: date };
  const match = DATE_TIME.exec(text);
  if (!match) return undefined;
  const [, dayText = '', hourText, minuteText, secondText = '0', fraction = '', offsetText] = match;
  const day = parseDate(dayText);
  const [hour, minute, second] = [Number(hourText), Number(minuteText), Number(secondText)];
  if (day === undefined || hour > 23 || minute > 59 || second > 59) return undefined;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const wall = day + hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS + milliseconds;
  if (offsetText === undefined) return { wall };
  const offset = offsetOf(offsetText);
  return offset === undefined ? undefined : { wall, offset };
};

/** Parses `2026-01-05T09:00:00.0000000`. Returns undefined for a text with an offset, which is not a wall-clock time. */
export const parseWall = (text: string): Wall | undefined => {
  const written = parseWrittenTime(text);
  return written?.offset === undefined ? written?.wall : undefined;
};

/** `2026-01-05T09:00:00.0000000`, with the API's seven fractional digits. */
export const formatWall = (wall: Wall): string => {
  const time = timeOfDay(wall);
  const hours = pad(Math.floor(time / HOUR_MS), 2);
  const minutes = pad(Math.floor((time % HOUR_MS) / MINUTE_MS), 2);
  const seconds = pad(Math.floor((time % MINUTE_MS) / SECOND_MS), 2);
  return `${formatDate(wall)}T${hours}:${minutes}:${seconds}.${pad(time % SECOND_MS, 3)}0000`;
};
