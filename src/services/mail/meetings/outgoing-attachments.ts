import { outgoingAttachment } from '../attachments/outgoing.ts';
import { attachmentsOf } from '../attachments/store.ts';
import type { Attachment } from '../attachments/types.ts';
import type { CalendarEvent } from '../calendar/types.ts';
import type { CalendarAttachment } from '../ical/types.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import type { Address } from '../messages/types.ts';
import type { OutgoingAttachment } from '../mime/types.ts';

/** Attachments of an outgoing meeting mail: files are parts of the mail, references are ATTACH in the calendar. */
export interface MeetingAttachments {
  readonly files: readonly OutgoingAttachment[];
  readonly references: readonly CalendarAttachment[];
}

/** When an invitee forwards a meeting, only the organizer's attachments are sent. */
export const isSentWith = ({ isOrganizer }: CalendarEvent, { isOrganizers = false }: Attachment): boolean =>
  isOrganizer || isOrganizers;

/** Attachments belong to the series. Attendees of the series already have them, so mail about an occurrence does not repeat them. */
export async function meetingAttachments(
  writer: MailboxWriter,
  event: CalendarEvent,
  to: readonly Address[],
  day: string | undefined,
): Promise<MeetingAttachments> {
  const known = new Set(event.attendees.map(({ address }) => address.toLowerCase()));
  const isNeeded = day === undefined || to.some(({ address }) => !known.has(address.toLowerCase()));
  const files: OutgoingAttachment[] = [];
  const references: CalendarAttachment[] = [];
  for (const attachment of isNeeded ? await attachmentsOf(writer.tx, writer.key(event.uid)) : []) {
    const { name, contentType, reference } = attachment;
    if (!isSentWith(event, attachment)) continue;
    if (reference) references.push({ kind: 'uri', uri: reference.sourceUrl, name, contentType: contentType ?? '' });
    else files.push(await outgoingAttachment(writer.tx, attachment));
  }
  return { files, references };
}
