import { etag } from '../../../kernel/ids/index.ts';
import { contentPreview } from '../api/content.ts';
import { attachmentsOf, putCopies } from '../attachments/store.ts';
import { putBlob } from '../blobs/store.ts';
import type { CalendarEvent } from '../calendar/types.ts';
import { errors } from '../errors.ts';
import type { CalendarComponent } from '../ical/types.ts';
import { writeCalendar } from '../ical/write.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { conversationOf } from '../messages/conversation.ts';
import { draftOf } from '../messages/draft.ts';
import type { Address, ItemBody, MeetingMessage } from '../messages/types.ts';
import { createMessage } from '../messages/write.ts';
import { isMailAddress } from '../mime/mail-address.ts';
import { htmlToText, textToHtml } from '../mime/text.ts';
import type { OutgoingAttachment } from '../mime/types.ts';
import { composeMail } from '../mime/write.ts';
import { queueMail } from '../sending/queue.ts';
import { checkSize } from '../sending/size.ts';
import { isSentWith } from './outgoing-attachments.ts';

export interface MeetingMailContent {
  readonly method: string;
  readonly subject: string;
  /** The sender's text, above the body of the event. */
  readonly comment: string;
  readonly body: ItemBody;
  /** Meeting fields of the copy in the sent items. */
  readonly message: MeetingMessage;
  readonly components: readonly CalendarComponent[];
  /** File attachments of the event. The copy in the sent items has all attachments. */
  readonly files?: readonly OutgoingAttachment[];
  readonly to: readonly Address[];
  /** True if a program decided to send the mail: such mail gets no automatic reply (RFC 3834). */
  readonly isAutomatic?: boolean;
}

/** Sends a calendar as mail (RFC 6047), and stores a copy in the sent items. */
export async function mailMeeting(
  writer: MailboxWriter,
  event: CalendarEvent,
  content: MeetingMailContent,
): Promise<void> {
  const { method, subject, components, to, message: meeting, files } = content;
  const recipients = to.filter(({ address }) => isMailAddress(address));
  if (recipients.length === 0) return;
  const { tx, mailbox, now, actor } = writer;
  const body = bodyOf(content);
  const draft = {
    ...draftOf(writer, {}),
    ...(actor && { sender: actor }),
    subject,
    body,
    bodyPreview: contentPreview(body),
    to: recipients,
  };
  const { internetMessageId, from } = draft;
  const calendar = writeCalendar({
    method,
    productId: '',
    components: actor ? components.map((component) => sentBy(component, event, method, actor)) : components,
  });
  const raw = composeMail({
    ...(from && { from }),
    ...(actor && { sender: actor }),
    to: recipients,
    subject,
    date: now,
    messageId: internetMessageId,
    threadTopic: event.subject,
    threadIndex: draft.conversationIndex,
    text: body.contentType === 'html' ? htmlToText(body.content) : body.content,
    ...(body.contentType === 'html' && { html: body.content }),
    calendar: { method, text: calendar },
    ...(files && { attachments: files }),
    ...(content.isAutomatic && { autoSubmitted: 'auto-replied' }),
    boundary: etag(),
  });
  if (files && files.length > 0) await checkSize(writer, raw);
  await queueMail(writer, {
    raw,
    from: mailbox.address,
    to: recipients.map(({ address }) => address),
    subject,
    messageId: internetMessageId,
  });
  const uid = etag();
  if (files) {
    const all = await attachmentsOf(tx, writer.key(event.uid));
    await putCopies(
      tx,
      all.filter((each) => isSentWith(event, each)),
      writer.key(uid),
    );
  }
  await createMessage(writer, {
    ...draft,
    uid,
    ...(files && { hasAttachments: event.hasAttachments, attachmentNames: files.map(({ name }) => name) }),
    conversationId: conversationOf(event.iCalUid),
    folder: mailbox.wellKnown.sentitems,
    isDraft: false,
    meeting,
    size: raw.length,
    source: await putBlob(tx, raw),
  });
}

/** Receivers compare the sender with the organizer of a request, and with the attendee of an answer. */
function sentBy(
  component: CalendarComponent,
  { isOrganizer }: CalendarEvent,
  method: string,
  { address }: Address,
): CalendarComponent {
  const { organizer, attendees } = component;
  if (method === 'REPLY' || method === 'COUNTER')
    return { ...component, attendees: attendees.map((each) => ({ ...each, sentBy: address })) };
  return isOrganizer && organizer ? { ...component, organizer: { ...organizer, sentBy: address } } : component;
}

/** Total size of file copies in the mails of one change: with hidden attendees, each attendee gets a separate mail. */
const MOST_COPIED_BYTES = 256 * 1024 * 1024;

export function checkCopies(files: readonly OutgoingAttachment[], mails: number): void {
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const maximum = Math.floor(MOST_COPIED_BYTES / mails);
  if (size > maximum) throw errors.ErrorMessageSizeExceeded({ maximum }, { target: 'attachments' });
}

function bodyOf({ comment, body }: MeetingMailContent): ItemBody {
  if (comment === '') return body;
  if (body.content === '') return { contentType: 'text', content: comment };
  if (body.contentType === 'text') return { contentType: 'text', content: `${comment}\r\n\r\n${body.content}` };
  return { contentType: 'html', content: `${textToHtml(comment)}<hr>${body.content}` };
}
