import { DAY_MS, isoTime, MINUTE_MS } from '../../../kernel/time/index.ts';
import type { Span } from '../calendar/times.ts';

/**
 * What a room accepts: the defaults that the service documents for resource mailboxes that accept by themselves (AutomateProcessing AutoAccept). Rooms
 * are booked by the own organization, for at most a day, up to 180 days ahead with all occurrences of a series, and once at a time.
 */
export const BOOKING_WINDOW_DAYS = 180;
export const LONGEST_MEETING_MINUTES = 1440;

/** A time at which the room is taken, and by whom. */
export interface Booking extends Span {
  readonly organizer: string;
}

export interface RoomRequest {
  /** The organizer is of the room's own organization. */
  readonly isInternal: boolean;
  /** When it takes place within the booking window, in the order of the starts. */
  readonly spans: readonly Span[];
  /** It goes on after the booking window. */
  readonly isBeyondWindow: boolean;
  /** What the room has in that time, in the order of the starts. Undefined where that is too much to look through. */
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
  if (!conflicts) return declined('the calendar of this room holds too much');
  if (conflicts.length > 0) return declined(`there are conflicts:\r\n${listOf(conflicts)}`);
  return { response: 'accepted', comment: 'Your request was accepted.' };
}

export const endOfWindow = (now: number): number => now + BOOKING_WINDOW_DAYS * DAY_MS;

/** Times that touch are no conflict. */
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
