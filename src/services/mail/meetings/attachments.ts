import { MOST_ATTACHMENTS } from '../attachments/limits.ts';
import { outgoingAttachment } from '../attachments/outgoing.ts';
import { attachmentsOf, deleteAttachments, putAttachment } from '../attachments/store.ts';
import type { CalendarEvent } from '../calendar/types.ts';
import type { CalendarAttachment, CalendarComponent } from '../ical/types.ts';
import { keepAttachments } from '../intake/attachments.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import type { OutgoingAttachment } from '../mime/types.ts';
import type { MeetingMail } from './meeting-mail.ts';

/** The attachments of a meeting: files travel as parts of the mail, references as ATTACH of the calendar. */
export interface MeetingAttachments {
  readonly files: readonly OutgoingAttachment[];
  readonly references: readonly CalendarAttachment[];
}

export const NO_ATTACHMENTS: MeetingAttachments = { files: [], references: [] };

export async function meetingAttachments(writer: MailboxWriter, event: string): Promise<MeetingAttachments> {
  const files: OutgoingAttachment[] = [];
  const references: CalendarAttachment[] = [];
  for (const attachment of await attachmentsOf(writer.tx, writer.key(event))) {
    const { name, contentType, reference } = attachment;
    if (reference) references.push({ kind: 'uri', uri: reference.sourceUrl, name, contentType: contentType ?? '' });
    else files.push(await outgoingAttachment(writer.tx, attachment));
  }
  return { files, references };
}

/** Whether the event of an invitation shows that it has attachments. */
export const hasAttached = ({ attachments }: CalendarComponent, mail: MeetingMail): boolean =>
  attachments.length > 0 || mail.attachments.some(({ isInline }) => !isInline);

/** The event has what the latest invitation has: what the organizer has removed is no longer there. */
export async function replaceAttachments(
  writer: MailboxWriter,
  { uid }: CalendarEvent,
  component: CalendarComponent,
  { attachments: files }: MeetingMail,
): Promise<void> {
  await deleteAttachments(writer.tx, writer.key(uid));
  const kept = files.slice(0, MOST_ATTACHMENTS);
  await keepAttachments(writer, uid, kept);
  for (const each of component.attachments.slice(0, MOST_ATTACHMENTS - kept.length))
    await putCalendarAttachment(writer, uid, each);
}

/** ATTACH of a calendar: a reference, or bytes. */
async function putCalendarAttachment(
  writer: MailboxWriter,
  event: string,
  attachment: CalendarAttachment,
): Promise<void> {
  const key = writer.key(event);
  const { name, contentType } = attachment;
  const common = { contentType: contentType || null, isInline: false, modifiedAt: writer.now };
  if (attachment.kind === 'bytes') {
    const { bytes } = attachment;
    const file = { ...common, kind: 'file' as const, name: name || 'attachment', size: bytes.length };
    await putAttachment(writer.tx, key, file, bytes);
    return;
  }
  const { uri } = attachment;
  await putAttachment(writer.tx, key, {
    ...common,
    kind: 'reference',
    name: name || uri,
    size: uri.length,
    reference: {
      sourceUrl: uri,
      providerType: 'other',
      permission: 'other',
      isFolder: false,
      previewUrl: null,
      thumbnailUrl: null,
    },
  });
}
