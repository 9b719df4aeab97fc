import { etag } from '../../../kernel/ids/index.ts';
import type { Message } from '../messages/types.ts';
import { htmlToText } from '../mime/text.ts';
import type { OutgoingAttachment, OutgoingMail } from '../mime/types.ts';

/** The mail that a message is when it goes out. `isOwnCopy` keeps blind copies, which no recipient may see. */
export function mailOf(message: Message, attachments: readonly OutgoingAttachment[], isOwnCopy: boolean): OutgoingMail {
  const { body, from, sender, references = [], importance } = message;
  const isHtml = body.contentType === 'html';
  return {
    ...(from && { from }),
    ...(sender && from && sender.address.toLowerCase() !== from.address.toLowerCase() && { sender }),
    to: message.to,
    cc: message.cc,
    ...(isOwnCopy && { bcc: message.bcc }),
    replyTo: message.replyTo,
    subject: message.subject,
    date: message.sentAt,
    messageId: message.internetMessageId,
    ...(references.length > 0 && { inReplyTo: references.at(-1), references }),
    importance,
    ...(message.isReadReceiptRequested && from && { readReceiptTo: from }),
    ...(message.isDeliveryReceiptRequested && from && { deliveryReceiptTo: from }),
    threadTopic: message.subject.replace(/^((re|fw|fwd):\s*)+/i, ''),
    threadIndex: message.conversationIndex,
    headers: message.headers.filter(({ name }) => /^x-/i.test(name)),
    text: isHtml ? htmlToText(body.content) : body.content,
    ...(isHtml && { html: body.content }),
    attachments,
    boundary: etag(),
  };
}
