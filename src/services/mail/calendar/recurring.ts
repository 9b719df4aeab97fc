import { ApiError } from '../../../kernel/http/index.ts';
import { writeRule } from '../recurrence/rule.ts';
import { toRule } from '../recurrence/to-rule.ts';
import type { PatternedRecurrence } from '../recurrence/types.ts';
import { validateRecurrence } from '../recurrence/validate.ts';
import { formatDate, type ZonedTime, type ZoneName } from '../zones/wall.ts';
import { toWall } from '../zones/zone.ts';
import { instantOf, type Times } from './times.ts';
import type { EventContent, EventSeries } from './types.ts';

/** The times of a series, and the series itself. */
export interface Recurring extends Pick<EventContent, 'start' | 'end'> {
  readonly series: EventSeries;
}

/** The series of an event with the client's recurrence. It begins with the first occurrence, in the zone of the recurrence. */
export function recurringFrom(recurrence: unknown, times: Times, startZoneName: string): Recurring {
  const { start, end, isAllDay } = times;
  const duration = isAllDay || start.zone === end.zone ? end.wall - start.wall : instantOf(end) - instantOf(start);
  const found = validateRecurrence(recurrence, { start, zoneName: startZoneName, duration, isAllDay });
  if ('mistake' in found) {
    const { code, message, target } = found.mistake;
    throw new ApiError(400, code, message, { target });
  }
  const { first } = found;
  const rule = writeRule(toRule(found.recurrence, first, isAllDay));
  return {
    ...movedTo(times, first),
    series: { rules: [rule], dates: [], recurrence: found.recurrence, exceptions: {}, cancelled: [] },
  };
}

/** Moves the times so that the start is at the first occurrence. An end in the zone of the start moves to the new zone with it. */
function movedTo({ start, end, isAllDay }: Times, first: ZonedTime): Pick<EventContent, 'start' | 'end'> {
  const by = first.wall - wallIn(first.zone, start, isAllDay);
  const zone = end.zone === start.zone ? first.zone : end.zone;
  return { start: first, end: { zone, wall: wallIn(zone, end, isAllDay) + by } };
}

const wallIn = (zone: ZoneName, time: ZonedTime, isAllDay: boolean): number =>
  isAllDay || zone === time.zone ? time.wall : toWall(zone, instantOf(time));

/** The recurrence of a series whose times change: its range begins at the new start of the event. */
export const startingAt = (
  { pattern, range }: PatternedRecurrence,
  start: ZonedTime,
  zone: ZoneName,
  isAllDay: boolean,
): PatternedRecurrence => ({
  pattern,
  range: { ...range, startDate: formatDate(wallIn(zone, start, isAllDay)) },
});
