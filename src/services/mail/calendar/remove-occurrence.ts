import { errors } from '../errors.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { sendCancellation } from '../meetings/outgoing.ts';
import { isMaster, occurrenceOn } from './content.ts';
import { nextStamp } from './invite.ts';
import type { CalendarEvent } from './types.ts';
import { updateEvent } from './write.ts';

/** Deletes an occurrence. The series keeps its day, so that the id of the occurrence is not found from now on. */
export async function removeOccurrence(
  writer: MailboxWriter,
  event: CalendarEvent,
  day: string,
  comment?: string,
): Promise<void> {
  const content = isMaster(event) ? occurrenceOn(event, day) : undefined;
  if (!isMaster(event) || !content) throw errors.ErrorItemNotFound();
  const { [day]: _, ...exceptions } = event.series.exceptions;
  const series = { ...event.series, exceptions, cancelled: [...event.series.cancelled, day].sort() };
  const after = await updateEvent(writer, event, { series });
  if (!event.isOrganizer || content.attendees.length === 0) return;
  // Only the occurrence gets a higher SEQUENCE: if the series had one too, answers to it that are on their way would be out of date.
  const cancelled = { ...after, sequence: content.sequence + 1, stamp: nextStamp(content, writer.now) };
  await sendCancellation(writer, cancelled, {
    to: content.attendees,
    day,
    content,
    ...(comment !== undefined && { comment }),
  });
}
