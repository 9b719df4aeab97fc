import type { ZonedTime, ZoneName } from '../zones/wall.ts';
import { toInstant, toWall } from '../zones/zone.ts';

/** When something takes place. */
export interface Times {
  readonly start: ZonedTime;
  readonly end: ZonedTime;
  readonly isAllDay: boolean;
}

/** A span of time: instants, the end is outside. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export const instantOf = ({ wall, zone }: ZonedTime): number => toInstant(zone, wall);

/** Days of all-day events belong to no zone: they are placed where the looker is. */
export function spanOf({ start, end, isAllDay }: Times, dayZone: ZoneName): Span {
  const from = isAllDay ? toInstant(dayZone, start.wall) : instantOf(start);
  const to = isAllDay ? toInstant(dayZone, end.wall) : instantOf(end);
  return { from, to: Math.max(from, to) };
}

/** An event without length is inside where its start is. */
export const isWithin = ({ from, to }: Span, window: Span): boolean =>
  from < window.to && (to > window.from || (to === from && from >= window.from));

/**
 * The same times so many milliseconds of the clock on the wall later: an occurrence has the times of day of its series, whatever the offsets are. Where a
 * change of the offset would have it end before it starts, it keeps its length instead.
 */
export function shiftedTimes({ start, end, isAllDay }: Times, by: number): Pick<Times, 'start' | 'end'> {
  const moved = { start: { ...start, wall: start.wall + by }, end: { ...end, wall: end.wall + by } };
  const from = instantOf(moved.start);
  if (isAllDay || instantOf(moved.end) >= from) return moved;
  // A start within a gap of the clock is later than it reads, so the end is found from its instant.
  const length = Math.max(0, end.wall - start.wall);
  return { start: moved.start, end: { zone: start.zone, wall: toWall(start.zone, from + length) } };
}

/** The instants that an event shows in UTC: days of all-day events show midnights of UTC. */
export const shownStart = ({ start, isAllDay }: Times): number => (isAllDay ? start.wall : instantOf(start));
export const shownEnd = ({ end, isAllDay }: Times): number => (isAllDay ? end.wall : instantOf(end));
