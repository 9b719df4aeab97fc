import { outgoingParts } from '../attachments/outgoing.ts';
import { attachmentsOf, putAttachment } from '../attachments/store.ts';
import type { Attachment } from '../attachments/types.ts';
import { copyBlob } from '../blobs/store.ts';
import type { CalendarEvent } from '../calendar/types.ts';
import type { CalendarAttachment } from '../ical/types.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import type { OutgoingAttachment } from '../mime/types.ts';

/** What goes out with an invitation: files as parts of the mail, links as ATTACH of the calendar. */
export interface MeetingAttachments {
  readonly kept: readonly Attachment[];
  readonly files: readonly OutgoingAttachment[];
  readonly links: readonly CalendarAttachment[];
}

export const NO_ATTACHMENTS: MeetingAttachments = { kept: [], files: [], links: [] };

/** An invitee who forwards a meeting hands on what the organizer has attached, and keeps the own notes. */
export async function meetingAttachments(
  writer: MailboxWriter,
  { uid, isOrganizer, hasAttachments, body }: CalendarEvent,
): Promise<MeetingAttachments> {
  // Pictures of the body do not count as attachments of an event.
  if (!hasAttachments && body.contentType === 'text') return NO_ATTACHMENTS;
  const all = await attachmentsOf(writer.tx, writer.key(uid));
  const kept = all.filter((each) => isOrganizer || each.isOrganizers);
  return {
    kept,
    files: await outgoingParts(
      writer.tx,
      kept.filter(({ kind }) => kind !== 'reference'),
    ),
    links: kept.flatMap(({ name, contentType, reference }) =>
      reference ? [{ kind: 'uri' as const, uri: reference.sourceUrl, name, contentType: contentType ?? '' }] : [],
    ),
  };
}

/** The copy in the sent items has the attachments too. */
export async function keepSentAttachments(
  writer: MailboxWriter,
  message: string,
  { kept }: MeetingAttachments,
): Promise<void> {
  for (const { uid: _, position: _position, isOrganizers: _isOrganizers, blob, ...rest } of kept)
    await putAttachment(writer.tx, writer.key(message), {
      ...rest,
      ...(blob !== undefined && { blob: await copyBlob(writer.tx, blob) }),
    });
}
