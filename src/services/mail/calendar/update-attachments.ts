import type { MailboxWriter } from '../mailbox/writer.ts';
import { nextStamp, notifyAttendees, sendExceptionUpdates, stamped } from './invite.ts';
import type { CalendarEvent } from './types.ts';
import { updateEvent } from './write.ts';

/** Records that attachments of an event were added or removed. The attendees of a meeting get an update that includes the attachments. */
export async function updateAttachments(
  writer: MailboxWriter,
  event: CalendarEvent,
  hasAttachments: boolean,
): Promise<CalendarEvent> {
  if (!event.isOrganizer) return updateEvent(writer, event, { hasAttachments });
  const stamp = nextStamp(event, writer.now);
  const after = await updateEvent(writer, event, {
    hasAttachments,
    stamp,
    ...(event.series && { series: stamped(event.series, stamp) }),
  });
  await notifyAttendees(writer, { before: event, after, event: after, notifiesAll: true });
  await sendExceptionUpdates(writer, after);
  return after;
}
