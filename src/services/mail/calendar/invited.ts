import { errors } from '../errors.ts';
import { MOST_RECIPIENTS } from '../limits.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import type { Address } from '../messages/types.ts';
import { isMaster } from './content.ts';
import { nextStamp } from './invite.ts';
import type { Attendee, CalendarEvent, EventContent } from './types.ts';
import { putException } from './update-occurrence.ts';
import { updateEvent } from './write.ts';

/** Adds attendees to an organizer's meeting, or to one of its occurrences, without notifying the existing attendees. */
export async function withInvited(
  writer: MailboxWriter,
  event: CalendarEvent,
  day: string | undefined,
  content: EventContent,
  to: readonly Address[],
): Promise<CalendarEvent> {
  const known = new Set([event.organizer, ...content.attendees].map(({ address }) => address.toLowerCase()));
  const added: Attendee[] = [];
  for (const { name, address } of to) {
    if (known.has(address.toLowerCase())) continue;
    known.add(address.toLowerCase());
    added.push({ name, address, type: 'required', status: { response: 'none' } });
  }
  if (added.length === 0) return event;
  const attendees = [...content.attendees, ...added];
  if (attendees.length > MOST_RECIPIENTS)
    throw errors.ErrorExceededMaxRecipientLimit__Attendees({ maximum: MOST_RECIPIENTS, count: attendees.length });
  const changed = { attendees, stamp: nextStamp(event, writer.now) };
  return day !== undefined && isMaster(event)
    ? putException(writer, event, day, changed)
    : updateEvent(writer, event, changed);
}
