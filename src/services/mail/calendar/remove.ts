import { type Answer, accepted, noContent } from '../../../kernel/http/index.ts';
import { changeForCaller } from '../api/change.ts';
import { nullable, parameters, text } from '../api/fields.ts';
import type { MailCall } from '../api/request.ts';
import { errors } from '../errors.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { sendCancellation } from '../meetings/outgoing.ts';
import { checkMatch } from '../messages/find.ts';
import { type FoundEvent, findEvent } from './find.ts';
import { cancelExceptions, nextStamp } from './invite.ts';
import { removeOccurrence } from './remove-occurrence.ts';
import type { CalendarEvent } from './types.ts';
import { removeEvent } from './write.ts';

/** Deletes an event, a series or one occurrence. If the caller is the organizer, the meeting is cancelled. */
export const deleteEvent = (call: MailCall): Promise<Answer> =>
  changeForCaller(call, async (writer) => {
    const found = await findEvent(call, writer.tx);
    checkMatch(call, found.event);
    await removeFound(writer, found);
    return noContent();
  });

export const COMMENT = nullable(text({ longest: 100_000 }));

/** Cancels a meeting with a comment; only the organizer can. */
export function cancelEvent(call: MailCall): Promise<Answer> {
  const { comment } = parameters('cancel', { comment: COMMENT }, call.json());
  return changeForCaller(call, async (writer) => {
    const found = await findEvent(call, writer.tx);
    if (!found.event.isOrganizer)
      throw errors.ErrorInvalidRequest({
        reason: 'Your request cannot be completed. You need to be an organizer to cancel a meeting.',
      });
    await removeFound(writer, found, comment ?? undefined);
    return accepted();
  });
}

async function removeFound(
  writer: MailboxWriter,
  { event, day }: Pick<FoundEvent, 'event' | 'day'>,
  comment?: string,
): Promise<void> {
  if (day !== undefined) return removeOccurrence(writer, event, day, comment);
  await cancelMeeting(writer, event, comment);
  await removeEvent(writer, event);
}

/** Sends cancellations to the attendees. Does nothing if the mailbox is not the organizer's or the meeting has no attendees. */
export async function cancelMeeting(writer: MailboxWriter, event: CalendarEvent, comment?: string): Promise<void> {
  if (!event.isOrganizer) return;
  const cancelled = { ...event, sequence: event.sequence + 1, stamp: nextStamp(event, writer.now) };
  await cancelExceptions(writer, event, cancelled, comment);
  if (event.attendees.length > 0)
    await sendCancellation(writer, cancelled, { to: event.attendees, ...(comment !== undefined && { comment }) });
}
