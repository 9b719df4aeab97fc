import { Type } from 'typebox';
import { DAY_MS, dayOf } from '../../../kernel/time/index.ts';
import { errors } from '../errors.ts';
import { readTime } from '../read-time.ts';
import { dayBefore, daysBetween, KEPT_DAYS } from './days.ts';

/** Query parameters of the analytics operations. */

export const PERIOD = {
  start: Type.String({ description: 'ISO 8601' }),
  end: Type.Optional(Type.String({ description: 'ISO 8601; default: now' })),
  versions: Type.Optional(Type.String({ description: 'Versions of the app, separated by |' })),
};

const MOST_LISTED = 2000;
const LISTED = 30;

export const LISTING = { $top: Type.Optional(Type.Integer({ minimum: 0, maximum: MOST_LISTED })) };

export const INTERVALS = { P1D: 1, P1W: 7, P30D: 30 } as const;
export type Interval = keyof typeof INTERVALS;
export const INTERVAL = { interval: Type.Enum(Object.keys(INTERVALS) as Interval[]) };

export interface PeriodSent {
  readonly start: string;
  readonly end?: string | undefined;
  readonly versions?: string | undefined;
}

/** The requested days, and as many days before them for comparison. */
export interface Period {
  readonly days: readonly string[];
  readonly previous: readonly string[];
  /** Undefined: all versions. */
  readonly versions?: ReadonlySet<string>;
}

/** Whole days, limited to days that are still kept and have begun. An end at midnight excludes the day that begins then. */
export function readPeriod({ start, end, versions }: PeriodSent, now: number): Period {
  const from = readTime('start', start);
  const to = end === undefined ? Math.max(now, from) : readTime('end', end);
  if (to < from)
    throw errors.BadRequest({ reason: "The parameter 'end' must not be before 'start'." }, { target: 'end' });
  const first = dayOf(Math.max(from, now - KEPT_DAYS * DAY_MS));
  const last = dayOf(Math.min(to > from ? to - 1 : to, now));
  const days = daysBetween(first, last);
  const previous = days.length === 0 ? [] : daysBetween(dayBefore(first, days.length), dayBefore(first));
  const named = readNames(versions);
  return { days, previous, ...(named && { versions: named }) };
}

/** Undefined if no names are given, which means all. */
export function readNames(text: string | undefined): ReadonlySet<string> | undefined {
  const names = text?.split('|').filter((name) => name !== '') ?? [];
  return names.length > 0 ? new Set(names) : undefined;
}

/** The default is thirty; zero means all. */
export const readTop = (top: number | undefined, unless = LISTED): number =>
  top === undefined ? unless : top === 0 ? Number.POSITIVE_INFINITY : top;
