import { etag } from '../../../kernel/ids/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { attachmentsOf } from '../attachments/store.ts';
import { readBlob } from '../blobs/store.ts';
import type { Message } from '../messages/types.ts';
import { htmlToText } from '../mime/text.ts';
import type { OutgoingAttachment, OutgoingMail } from '../mime/types.ts';
import { composeMail } from '../mime/write.ts';

/** A message as it goes out (RFC 5322). `isOwnCopy` keeps blind copies, which no recipient may see. */
export async function composeMessage(
  tx: Pick<Tx, 'get' | 'query' | 'count'>,
  key: string,
  message: Message,
  isOwnCopy = false,
): Promise<Buffer> {
  return composeMail(await outgoingMail(tx, key, message, isOwnCopy));
}

export async function outgoingMail(
  reader: Pick<Tx, 'get' | 'query' | 'count'>,
  key: string,
  message: Message,
  isOwnCopy: boolean,
): Promise<OutgoingMail> {
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
    attachments: await outgoingAttachments(reader, key),
    boundary: etag(),
  };
}

async function outgoingAttachments(
  reader: Pick<Tx, 'get' | 'query' | 'count'>,
  key: string,
): Promise<OutgoingAttachment[]> {
  const outgoing: OutgoingAttachment[] = [];
  for (const { name, contentType, contentId, isInline, blob, item, reference } of await attachmentsOf(reader, key)) {
    if (blob === undefined) {
      // A reference travels as a link, in a file that mail clients open.
      const bytes = Buffer.from(`[InternetShortcut]\r\nURL=${reference?.sourceUrl ?? ''}\r\n`);
      outgoing.push({ name: `${name}.url`, contentType: 'application/internet-shortcut', isInline: false, bytes });
      continue;
    }
    const isMessage = item?.type === 'message' && item.form === 'mime';
    outgoing.push({
      name,
      contentType: isMessage ? 'message/rfc822' : (contentType ?? 'application/octet-stream'),
      isInline,
      bytes: await readBlob(reader, blob),
      ...(contentId !== undefined && { contentId }),
      ...(isMessage && { isMessage }),
    });
  }
  return outgoing;
}
