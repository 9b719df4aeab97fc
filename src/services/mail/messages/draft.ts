import { etag } from '../../../kernel/ids/index.ts';
import { contentPreview } from '../api/content.ts';
import type { Mailbox } from '../mailbox/types.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { conversationOf } from './conversation.ts';
import type { MessageInput } from './input.ts';
import type { Address, FollowupFlag, Message } from './types.ts';
import type { createMessage } from './write.ts';

type Given = Parameters<typeof createMessage>[1];

/** A new draft with the properties that a client sent. */
export function draftOf(writer: Pick<MailboxWriter, 'mailbox' | 'now'>, input: MessageInput): Given {
  const { mailbox, now } = writer;
  const owner = ownerOf(mailbox);
  const internetMessageId = newMessageId(mailbox.address);
  return {
    folder: mailbox.wellKnown.drafts,
    receivedAt: now,
    sentAt: now,
    subject: '',
    body: { contentType: 'text', content: '' },
    bodyPreview: '',
    from: owner,
    sender: owner,
    to: [],
    cc: [],
    bcc: [],
    replyTo: [],
    conversationId: conversationOf(internetMessageId),
    conversationIndex: newConversationIndex(now),
    importance: 'normal',
    inference: 'focused',
    isRead: true,
    isDraft: true,
    isDeliveryReceiptRequested: false,
    isReadReceiptRequested: false,
    categories: [],
    flag: { flagStatus: 'notFlagged' },
    internetMessageId,
    headers: [],
    hasAttachments: false,
    mentions: [],
    unsubscribe: [],
    size: 0,
    ...fieldsOf(input, writer, owner),
  };
}

export const ownerOf = ({ displayName, address }: Mailbox): Address => ({ name: displayName, address });

/** The stored fields for the properties that a client sent; properties that were not sent are left out. */
export function fieldsOf(input: MessageInput, { now }: Pick<MailboxWriter, 'now'>, owner: Address): Partial<Message> {
  const { body, mentions } = input;
  return {
    ...(input.subject !== undefined && { subject: input.subject }),
    ...(body && {
      body,
      uniqueBody: undefined,
      bodyPreview: contentPreview(body),
      size: Buffer.byteLength(body.content),
    }),
    ...(input.toRecipients && { to: input.toRecipients }),
    ...(input.ccRecipients && { cc: input.ccRecipients }),
    ...(input.bccRecipients && { bcc: input.bccRecipients }),
    ...(input.replyTo && { replyTo: input.replyTo }),
    ...(input.from && { from: input.from }),
    ...(input.sender && { sender: input.sender }),
    ...(input.importance && { importance: input.importance }),
    ...(input.isRead !== undefined && { isRead: input.isRead }),
    ...(input.isDeliveryReceiptRequested !== undefined && {
      isDeliveryReceiptRequested: input.isDeliveryReceiptRequested,
    }),
    ...(input.isReadReceiptRequested !== undefined && {
      isReadReceiptRequested: input.isReadReceiptRequested ?? false,
    }),
    ...(input.categories && { categories: [...new Set(input.categories)] }),
    ...(input.flag && { flag: completed(input.flag, now) }),
    ...(input.inferenceClassification && { inference: input.inferenceClassification }),
    ...(input.internetMessageId !== undefined && { internetMessageId: input.internetMessageId }),
    ...(input.internetMessageHeaders && { headers: input.internetMessageHeaders }),
    ...(mentions && {
      mentions: mentions.flatMap(({ mentioned, createdBy, id: _, ...rest }) =>
        mentioned
          ? [
              {
                id: etag(),
                mentioned,
                isOwner: mentioned.address.toLowerCase() === owner.address.toLowerCase(),
                createdBy: createdBy ?? owner,
                createdAt: now,
                serverCreatedAt: now,
                ...textsOf(rest),
              },
            ]
          : [],
      ),
    }),
  };
}

const textsOf = (texts: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

/** A unique id, `<…@vendor.example>`. */
export const newMessageId = (address: string): string => `<${etag()}${etag()}@${address.split('@')[1] ?? 'cloudjar'}>`;

/** The first block of a thread index: one byte, five bytes of time and a random id. */
export function newConversationIndex(now: number): string {
  const bytes = Buffer.alloc(22);
  bytes[0] = 1;
  bytes.writeUIntBE(Math.floor(now / 100) % 2 ** 40, 1, 5);
  bytes.write(`${etag()}${etag()}`, 6, 16, 'base64url');
  return bytes.toString('base64');
}

/** The completion time of a task defaults to now. */
const completed = (flag: FollowupFlag, now: number): FollowupFlag =>
  flag.flagStatus === 'complete' && !flag.completed ? { ...flag, completed: { wall: now, zone: 'UTC' } } : flag;
