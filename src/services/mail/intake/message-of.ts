import { contentPreview } from '../api/content.ts';
import { searchedNames } from '../attachments/store.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { conversationOf } from '../messages/conversation.ts';
import { newConversationIndex, newMessageId } from '../messages/draft.ts';
import type { Address, Header, ItemBody } from '../messages/types.ts';
import type { createMessage } from '../messages/write.ts';
import type { MailAddress, MailAttachment, ParsedMail } from '../mime/types.ts';
import { uniquePart } from '../mime/unique-part.ts';
import type { IncomingMail } from './incoming.ts';

type Given = Omit<Parameters<typeof createMessage>[1], 'uid' | 'source' | 'meeting'>;

/** Converts a mail to a message. */
export function messageOf(
  writer: Pick<MailboxWriter, 'mailbox' | 'now'>,
  incoming: IncomingMail,
  attachments: readonly MailAttachment[],
): Given {
  const { parsed, body, raw } = incoming;
  const { mailbox, now } = writer;
  const [from] = parsed.from;
  const sender = parsed.sender ?? from;
  const unique = uniqueBody(body);
  const internetMessageId = parsed.messageId ?? newMessageId(mailbox.address);
  return {
    folder: mailbox.wellKnown.inbox,
    receivedAt: now,
    sentAt: parsed.date ?? now,
    subject: parsed.subject,
    body,
    ...(unique && { uniqueBody: unique }),
    bodyPreview: contentPreview(body),
    ...(from && { from: person(from) }),
    ...(sender && { sender: person(sender) }),
    to: parsed.to.map(person),
    cc: parsed.cc.map(person),
    bcc: parsed.bcc.map(person),
    replyTo: parsed.replyTo.map(person),
    conversationId: conversationOf(parsed.references[0] ?? parsed.inReplyTo ?? internetMessageId),
    conversationIndex: parsed.threadIndex ?? newConversationIndex(now),
    importance: parsed.importance,
    inference: isBulk(parsed) ? 'other' : 'focused',
    isRead: false,
    isDraft: false,
    isDeliveryReceiptRequested: parsed.isDeliveryReceiptRequested,
    isReadReceiptRequested: parsed.isReadReceiptRequested,
    categories: [],
    flag: { flagStatus: 'notFlagged' },
    internetMessageId,
    headers: headersOf(parsed),
    references: referencesOf(parsed),
    hasAttachments: attachments.some(({ isInline }) => !isInline),
    attachmentNames: searchedNames(attachments),
    mentions: [],
    unsubscribe: parsed.listUnsubscribe,
    size: raw.length,
  };
}

/** Most headers are of no use to clients, and a hostile mail can have many. */
const MOST_HEADERS = 500;
const LONGEST_HEADER = 10_000;
const headersOf = ({ headers }: ParsedMail): readonly Header[] =>
  headers.slice(0, MOST_HEADERS).map(({ name, value }) => ({ name, value: value.slice(0, LONGEST_HEADER) }));

const MOST_REFERENCES = 50;
const referencesOf = ({ references, inReplyTo }: ParsedMail): readonly string[] =>
  (references.length > 0 ? references : inReplyTo === undefined ? [] : [inReplyTo]).slice(-MOST_REFERENCES);

/** A longer body is not searched for its unique part. */
const LONGEST_DIVIDED = 1_000_000;

function uniqueBody(body: ItemBody): ItemBody | undefined {
  if (body.content.length > LONGEST_DIVIDED) return undefined;
  const content = uniquePart(body.content, body.contentType);
  return content === body.content ? undefined : { ...body, content };
}

/** Newsletters and automatic mail. */
const isBulk = ({ headers, listUnsubscribe, autoSubmitted }: ParsedMail): boolean =>
  listUnsubscribe.length > 0 ||
  (autoSubmitted !== undefined && autoSubmitted !== 'no') ||
  headers.some(({ name, value }) => /^precedence$/i.test(name) && /bulk|list|junk/i.test(value));

export const person = ({ name, address }: MailAddress): Address => ({ name: name || address, address });
