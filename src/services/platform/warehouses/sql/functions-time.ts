import type { Plain } from './functions.ts';
import { simple } from './types.ts';

const DAY_MS = 86_400_000;
const INT = simple('INT');
const DATE = simple('DATE');

const part = (of: (date: Date) => number): Plain => ({
  takes: ['TIMESTAMP'],
  gives: INT,
  of: (time) => BigInt(of(new Date(Number(time)))),
});

const moved = (by: 1 | -1): Plain => ({
  takes: ['DATE', 'INT'],
  gives: DATE,
  of: (date, days) => Number(date) + by * Number(days),
});

const difference: Plain = {
  takes: ['DATE', 'DATE'],
  gives: INT,
  of: (end, start) => BigInt(Number(end) - Number(start)),
};

export const TIMES: Readonly<Record<string, Plain>> = {
  year: part((date) => date.getUTCFullYear()),
  month: part((date) => date.getUTCMonth() + 1),
  day: part((date) => date.getUTCDate()),
  dayofmonth: part((date) => date.getUTCDate()),
  /** Counted from Sunday, which is 1. */
  dayofweek: part((date) => date.getUTCDay() + 1),
  hour: part((date) => date.getUTCHours()),
  minute: part((date) => date.getUTCMinutes()),
  second: part((date) => date.getUTCSeconds()),
  date_add: moved(1),
  date_sub: moved(-1),
  datediff: difference,
  date_diff: difference,
  to_date: { takes: ['DATE'], gives: DATE, of: (date) => date },
  date: { takes: ['DATE'], gives: DATE, of: (date) => date },
  to_timestamp: { takes: ['TIMESTAMP'], gives: simple('TIMESTAMP'), of: (time) => time },
  from_unixtime: {
    takes: ['LONG'],
    gives: simple('STRING'),
    of: (seconds) => new Date(Number(seconds) * 1000).toISOString().slice(0, 19).replace('T', ' '),
  },
  last_day: {
    takes: ['DATE'],
    gives: DATE,
    of(days) {
      const date = new Date(Number(days) * DAY_MS);
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0) / DAY_MS;
    },
  },
};
