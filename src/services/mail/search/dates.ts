import { DAY_MS } from '../../../kernel/time/index.ts';
import { parseDate, type Wall, type ZoneName } from '../zones/wall.ts';
import { toInstant, toWall } from '../zones/zone.ts';

/** `to` is exclusive. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** Parses a day in a search: `07/23/2018`, `2018-07-23`, `today`, `this week`; undefined for other texts. */
export function intervalOf(text: string, now: number, zone: ZoneName): Interval | undefined {
  const today = Math.floor(toWall(zone, now) / DAY_MS) * DAY_MS;
  const days = wordDays(text.toLowerCase().replace(/\s+/g, ' ').trim(), today) ?? writtenDay(text);
  return days && { from: toInstant(zone, days[0]), to: toInstant(zone, days[1]) };
}

type Days = readonly [from: Wall, to: Wall];

function wordDays(word: string, today: Wall): Days | undefined {
  // 1970 began on a Thursday; weeks begin on Sunday.
  const week = today - ((Math.floor(today / DAY_MS) + 4) % 7) * DAY_MS;
  const { year, month } = yearAndMonth(today);
  switch (word) {
    case 'today':
      return [today, today + DAY_MS];
    case 'yesterday':
      return [today - DAY_MS, today];
    case 'this week':
      return [week, week + 7 * DAY_MS];
    case 'last week':
      return [week - 7 * DAY_MS, week];
    case 'this month':
      return [Date.UTC(year, month), Date.UTC(year, month + 1)];
    case 'last month':
      return [Date.UTC(year, month - 1), Date.UTC(year, month)];
    case 'this year':
      return [Date.UTC(year, 0), Date.UTC(year + 1, 0)];
    case 'last year':
      return [Date.UTC(year - 1, 0), Date.UTC(year, 0)];
    default:
      return undefined;
  }
}

const yearAndMonth = (wall: Wall): { readonly year: number; readonly month: number } => {
  const date = new Date(wall);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() };
};

function writtenDay(text: string): Days | undefined {
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text.trim()) ?? [];
  const iso =
    year === undefined ? text.trim().slice(0, 10) : `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`;
  const wall = parseDate(iso);
  return wall === undefined ? undefined : [wall, wall + DAY_MS];
}
