import { etag } from '../../../kernel/ids/index.ts';
import type { Address, Message } from '../messages/types.ts';
import { isHeaderAddress } from '../mime/mail-address.ts';
import { htmlToText } from '../mime/text.ts';
import type { OutgoingAttachment, OutgoingMail } from '../mime/types.ts';
import { isHeaderName } from '../mime/write.ts';

/**
 * Converts a message to an outgoing mail. `isOwnCopy` keeps Bcc, which no recipient may see. Addresses that cannot be written in a header
 * are left out: only drafts can have such addresses.
 */
export function mailOf(message: Message, attachments: readonly OutgoingAttachment[], isOwnCopy: boolean): OutgoingMail {
  const { body, from, sender, references = [], importance } = message;
  const isHtml = body.contentType === 'html';
  return {
    ...(from && { from }),
    ...(sender && from && sender.address.toLowerCase() !== from.address.toLowerCase() && { sender }),
    to: message.to.filter(isUsable),
    cc: message.cc.filter(isUsable),
    ...(isOwnCopy && { bcc: message.bcc.filter(isUsable) }),
    replyTo: message.replyTo.filter(isUsable),
    subject: message.subject,
    date: message.sentAt,
    messageId: message.internetMessageId,
    ...(references.length > 0 && { inReplyTo: references.at(-1), references }),
    importance,
    ...(message.isReadReceiptRequested && from && { readReceiptTo: from }),
    ...(message.isDeliveryReceiptRequested && from && { deliveryReceiptTo: from }),
    threadTopic: message.subject.replace(/^((re|fw|fwd):\s*)+/i, ''),
    threadIndex: message.conversationIndex,
    headers: message.headers.filter(({ name }) => /^x-/i.test(name) && isHeaderName(name)),
    text: isHtml ? htmlToText(body.content) : body.content,
    ...(isHtml && { html: body.content }),
    ...(message.calendar && { calendar: message.calendar }),
    attachments,
    boundary: etag(),
  };
}

const isUsable = ({ address }: Address): boolean => isHeaderAddress(address);
