import { etag } from '../../../kernel/ids/index.ts';
import { parseInstant } from '../../../kernel/odata/index.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { draftOf } from '../messages/draft.ts';
import { extrasOf } from '../messages/extras.ts';
import type { Message } from '../messages/types.ts';
import type { NewAttachment, NewItem } from './input.ts';
import type { Attachment, ItemContent, NestedAttachment } from './types.ts';

/** What is kept of an item that a client attaches. */
export function contentOfItem(writer: MailboxWriter, item: NewItem): ItemContent {
  const attachments = item.attachments.map((each, position) => nested(writer, each, position));
  if (item.type !== 'message') return { type: item.type, sent: item.sent, attachments };
  return { type: 'message', message: attachedMessage(writer, item, attachments), attachments };
}

/** A message outside of any folder. Times are those that the client gives: the message was sent before, by whomever. */
function attachedMessage(
  writer: MailboxWriter,
  { input }: Extract<NewItem, { type: 'message' }>,
  attachments: readonly NestedAttachment[],
): Message {
  const { now, mailbox } = writer;
  const instant = (value: unknown): number => (typeof value === 'string' ? parseInstant(value) : undefined) ?? now;
  return {
    ...draftOf(writer, input),
    ...extrasOf(input),
    uid: etag(),
    mailbox: mailbox.id,
    folder: '',
    generation: 0,
    number: 0,
    createdNumber: 0,
    createdAt: instant(input.createdDateTime),
    modifiedAt: instant(input.lastModifiedDateTime),
    receivedAt: instant(input.receivedDateTime),
    sentAt: instant(input.sentDateTime),
    isDraft: input.isDraft === true,
    hasAttachments: attachments.some(({ attachment }) => !attachment.isInline),
  };
}

function nested(writer: MailboxWriter, given: NewAttachment, position: number): NestedAttachment {
  const { attachment, content } = describe(writer, given, position);
  if (given.kind === 'file')
    return { attachment: { uid: etag(), ...attachment }, bytes: given.bytes.toString('base64') };
  return { attachment: { uid: etag(), ...attachment }, ...(content && { content }) };
}

/** An attachment without its bytes, and the item that it holds. */
export function describe(
  writer: MailboxWriter,
  given: NewAttachment,
  position: number,
): { readonly attachment: Omit<Attachment, 'uid' | 'blob'>; readonly content?: ItemContent } {
  const { kind, name, contentType, isInline } = given;
  const common = { position, kind, name, contentType, isInline, modifiedAt: writer.now };
  switch (given.kind) {
    case 'file': {
      const { contentId, contentLocation, bytes } = given;
      return {
        attachment: {
          ...common,
          size: bytes.length,
          ...(contentId !== undefined && { contentId }),
          ...(contentLocation !== undefined && { contentLocation }),
        },
      };
    }
    case 'reference': {
      const { reference } = given;
      return { attachment: { ...common, size: Buffer.byteLength(reference.sourceUrl), reference } };
    }
    case 'item': {
      const content = contentOfItem(writer, given.item);
      const size = Buffer.byteLength(JSON.stringify(content));
      return { attachment: { ...common, size, item: { type: given.item.type, form: 'json' } }, content };
    }
  }
}
