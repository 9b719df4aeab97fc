import type { CalendarEvent, EventContent, Response } from '../calendar/types.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import type { Address } from '../messages/types.ts';
import type { ZonedTime } from '../zones/wall.ts';

/** Mail about meetings that the owner of a mailbox sends by changing an event. All of it commits with the change. */

export interface MeetingRequest {
  readonly to: readonly Address[];
  /** One occurrence alone: its original day. */
  readonly day?: string;
  /** In front of the subject: `FW: ` of a forwarded invitation. */
  readonly prefix?: string;
  readonly comment?: string;
}

/** An invitation or an update of it to attendees (METHOD:REQUEST), with the event as it is now. */
export async function sendRequest(
  _writer: MailboxWriter,
  _event: CalendarEvent,
  _request: MeetingRequest,
): Promise<void> {}

/** A cancellation (METHOD:CANCEL) of the whole event, or of one occurrence. `content` is what was cancelled. */
export async function sendCancellation(
  _writer: MailboxWriter,
  _event: CalendarEvent,
  _cancellation: MeetingRequest & { readonly content?: EventContent },
): Promise<void> {}

export interface MeetingAnswer {
  readonly response: Extract<Response, 'accepted' | 'tentativelyAccepted' | 'declined'>;
  readonly comment?: string;
  readonly day?: string;
  readonly proposedNewTime?: { readonly start: ZonedTime; readonly end: ZonedTime };
}

/** The answer of an attendee to the organizer (METHOD:REPLY, or COUNTER with a proposed time). */
export async function sendAnswer(
  _writer: MailboxWriter,
  _event: CalendarEvent,
  _answer: MeetingAnswer,
): Promise<void> {}
