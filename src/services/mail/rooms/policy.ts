import { DAY_MS, isoTime, MINUTE_MS } from '../../../kernel/time/index.ts';
import type { Span } from '../calendar/times.ts';

/**
 * The booking policy of a room: the documented defaults of resource mailboxes with automatic acceptance (AutomateProcessing AutoAccept). A
 * room can be booked by its own organization, for at most a day, up to 180 days ahead including all occurrences of a series, and
 * without conflicts.
 */
export const BOOKING_WINDOW_DAYS = 180;
export const LONGEST_MEETING_MINUTES = 1440;

/** A time at which the room is booked, and the organizer. */
export interface Booking extends Span {
  readonly organizer: string;
}

export interface RoomRequest {
  /** True if the organizer belongs to the room's organization. */
  readonly isInternal: boolean;
  /** Times within the booking window, ordered by start. */
  readonly spans: readonly Span[];
  /** True if the request continues after the booking window. */
  readonly isBeyondWindow: boolean;
  /** Existing bookings during that time, ordered by start. Undefined if there are too many to check. */
  readonly bookings: readonly Booking[] | undefined;
}

export interface Decision {
  readonly response: 'accepted' | 'declined';
  readonly comment: string;
}

const declined = (reason: string): Decision => ({
  response: 'declined',
  comment: `Your request was declined because ${reason}.`,
});

export function decide({ isInternal, spans, isBeyondWindow, bookings }: RoomRequest): Decision {
  if (!isInternal) return declined('this room is not booked from outside of its organization');
  if (spans.some(({ from, to }) => to - from > LONGEST_MEETING_MINUTES * MINUTE_MS))
    return declined(`it lasts longer than ${LONGEST_MEETING_MINUTES} minutes`);
  if (isBeyondWindow) return declined(`this room is booked at most ${BOOKING_WINDOW_DAYS} days ahead`);
  const conflicts = bookings && conflictsOf(spans, bookings);
  if (!conflicts) return declined('the calendar of this room has too many events');
  if (conflicts.length > 0) return declined(`there are conflicts:\r\n${listOf(conflicts)}`);
  return { response: 'accepted', comment: 'Your request was accepted.' };
}

export const endOfWindow = (now: number): number => now + BOOKING_WINDOW_DAYS * DAY_MS;

/** Adjacent times do not conflict. */
const conflictsOf = (spans: readonly Span[], bookings: readonly Booking[]): readonly Booking[] =>
  bookings.filter(({ from, to }) => spans.some((span) => span.from < to && from < span.to));

const MOST_LISTED = 10;

function listOf(conflicts: readonly Booking[]): string {
  const lines = conflicts
    .slice(0, MOST_LISTED)
    .map(({ organizer, from, to }) => `- ${organizer}, ${isoTime(from)} to ${isoTime(to)}`);
  const more = conflicts.length - lines.length;
  return [...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join('\r\n');
}
