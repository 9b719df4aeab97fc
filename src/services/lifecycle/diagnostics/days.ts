import { DAY_MS } from '../../../kernel/time/index.ts';
import { errors } from '../errors.ts';
import type { Window } from './query.ts';

/** Retention is less than a quarter of this. */
const MOST_DAYS = 366;

export interface Day extends Window {
  /** Start of the day. */
  readonly day: string;
}

/** The UTC days of a window, each with its part of the window. */
export function daysOf({ start, end }: Window): Day[] {
  const first = Math.floor(Date.parse(start) / DAY_MS);
  const last = Math.floor(Date.parse(end) / DAY_MS);
  if (last - first >= MOST_DAYS) {
    throw errors.BadRequest(
      { reason: `The range from 'start' to 'end' is limited to ${MOST_DAYS} days.` },
      { target: 'start' },
    );
  }
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const day = new Date((first + index) * DAY_MS).toISOString();
    const lastMoment = new Date((first + index + 1) * DAY_MS - 1).toISOString();
    return { day, start: day < start ? start : day, end: lastMoment > end ? end : lastMoment };
  });
}
