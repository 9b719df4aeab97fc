import { etag } from '../../../kernel/ids/index.ts';
import { contentPreview } from '../api/content.ts';
import { putBlob } from '../blobs/store.ts';
import type { CalendarEvent } from '../calendar/types.ts';
import type { CalendarComponent } from '../ical/types.ts';
import { writeCalendar } from '../ical/write.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { conversationOf } from '../messages/conversation.ts';
import { draftOf } from '../messages/draft.ts';
import type { Address, ItemBody, MeetingMessage } from '../messages/types.ts';
import { createMessage } from '../messages/write.ts';
import { isMailAddress } from '../mime/mail-address.ts';
import { htmlToText, textToHtml } from '../mime/text.ts';
import { composeMail } from '../mime/write.ts';
import { queueMail } from '../sending/queue.ts';

export interface MeetingMailContent {
  readonly method: string;
  readonly subject: string;
  /** What the sender writes to it, above the body of the event. */
  readonly comment: string;
  readonly body: ItemBody;
  /** What the copy in the sent items shows. */
  readonly message: MeetingMessage;
  readonly components: readonly CalendarComponent[];
  readonly to: readonly Address[];
}

/** Sends a calendar as mail (RFC 6047), and keeps a copy in the sent items. */
export async function mailMeeting(
  writer: MailboxWriter,
  event: CalendarEvent,
  content: MeetingMailContent,
): Promise<void> {
  const { method, subject, components, to, message: meeting } = content;
  const recipients = to.filter(({ address }) => isMailAddress(address));
  if (recipients.length === 0) return;
  const { tx, mailbox, now } = writer;
  const body = bodyOf(content);
  const draft = { ...draftOf(writer, {}), subject, body, bodyPreview: contentPreview(body), to: recipients };
  const { internetMessageId, from } = draft;
  const calendar = writeCalendar({ method, productId: '', components });
  const raw = composeMail({
    ...(from && { from }),
    to: recipients,
    subject,
    date: now,
    messageId: internetMessageId,
    threadTopic: event.subject,
    threadIndex: draft.conversationIndex,
    text: body.contentType === 'html' ? htmlToText(body.content) : body.content,
    ...(body.contentType === 'html' && { html: body.content }),
    calendar: { method, text: calendar },
    boundary: etag(),
  });
  await queueMail(writer, {
    raw,
    from: mailbox.address,
    to: recipients.map(({ address }) => address),
    subject,
    messageId: internetMessageId,
  });
  await createMessage(writer, {
    ...draft,
    conversationId: conversationOf(event.iCalUid),
    folder: mailbox.wellKnown.sentitems,
    isDraft: false,
    meeting,
    size: raw.length,
    source: await putBlob(tx, raw),
  });
}

function bodyOf({ comment, body }: MeetingMailContent): ItemBody {
  if (comment === '') return body;
  if (body.content === '') return { contentType: 'text', content: comment };
  if (body.contentType === 'text') return { contentType: 'text', content: `${comment}\r\n\r\n${body.content}` };
  return { contentType: 'html', content: `${textToHtml(comment)}<hr>${body.content}` };
}
