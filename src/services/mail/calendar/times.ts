import type { ZonedTime, ZoneName } from '../zones/wall.ts';
import { toInstant, toWall } from '../zones/zone.ts';

/** Times of an event. */
export interface Times {
  readonly start: ZonedTime;
  readonly end: ZonedTime;
  readonly isAllDay: boolean;
}

/** A span between two instants; `to` is exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export const instantOf = ({ wall, zone }: ZonedTime): number => toInstant(zone, wall);

/** All-day events have no zone; they are placed in the viewer's zone, `dayZone`. */
export function spanOf({ start, end, isAllDay }: Times, dayZone: ZoneName): Span {
  const from = isAllDay ? toInstant(dayZone, start.wall) : instantOf(start);
  const to = isAllDay ? toInstant(dayZone, end.wall) : instantOf(end);
  return { from, to: Math.max(from, to) };
}

/** An event without duration is within a window if its start is. */
export const isWithin = ({ from, to }: Span, window: Span): boolean =>
  from < window.to && (to > window.from || (to === from && from >= window.from));

/**
 * Moves the times by milliseconds of wall-clock time: an occurrence has the times of day of its series, whatever the zone offsets are. If a
 * change of the offset would put the end before the start, the duration is kept instead.
 */
export function shiftedTimes({ start, end, isAllDay }: Times, by: number): Pick<Times, 'start' | 'end'> {
  const moved = { start: { ...start, wall: start.wall + by }, end: { ...end, wall: end.wall + by } };
  const from = instantOf(moved.start);
  if (isAllDay || instantOf(moved.end) >= from) return moved;
  // A start within a daylight-saving gap is later than its wall-clock time, so the end is computed from the start's instant.
  const length = Math.max(0, end.wall - start.wall);
  return { start: moved.start, end: { zone: start.zone, wall: toWall(start.zone, from + length) } };
}

/** The instants that an event shows in UTC. All-day events show midnights of UTC. */
export const shownStart = ({ start, isAllDay }: Times): number => (isAllDay ? start.wall : instantOf(start));
export const shownEnd = ({ end, isAllDay }: Times): number => (isAllDay ? end.wall : instantOf(end));
