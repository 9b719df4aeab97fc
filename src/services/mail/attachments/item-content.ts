import { etag } from '../../../kernel/ids/index.ts';
import { parseInstant } from '../../../kernel/odata/index.ts';
import { errors } from '../errors.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { draftOf } from '../messages/draft.ts';
import { extrasOf } from '../messages/extras.ts';
import type { Message } from '../messages/types.ts';
import { MailValueError } from '../mime/errors.ts';
import type { NewAttachment, NewItem } from './input.ts';
import { itemFile } from './item-file.ts';
import type { Attachment, ItemContent, NestedAttachment } from './types.ts';

type Context = Pick<MailboxWriter, 'mailbox' | 'now'>;

/** The stored form of an item that a client attaches. */
export function contentOfItem(writer: Context, item: NewItem): ItemContent {
  const attachments = item.attachments.map((each, position) => nested(writer, each, position));
  if (item.type !== 'message') return { type: item.type, sent: item.sent, attachments };
  return { type: 'message', message: attachedMessage(writer, item, attachments), attachments };
}

/** A message outside any folder. It keeps the client's times and sender, since it is a copy of an earlier message. */
function attachedMessage(
  writer: Context,
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

function nested(writer: Context, given: NewAttachment, position: number): NestedAttachment {
  const { attachment, content } = describe(writer, given, position);
  if (given.kind === 'file')
    return { attachment: { uid: etag(), ...attachment }, bytes: given.bytes.toString('base64') };
  return { attachment: { uid: etag(), ...attachment }, ...(content && { content }) };
}

/** An attachment without its bytes, together with the item in it. */
export function describe(
  writer: Context,
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
      const size = sizeOfContent(content);
      return { attachment: { ...common, size, item: { type: given.item.type, form: 'json' } }, content };
    }
  }
}

/** Computed once for each level, since items can be deeply nested. */
const sizeOfContent = (content: ItemContent): number =>
  content.attachments.reduce(
    (sum, { attachment }) => sum + attachment.size,
    Buffer.byteLength(content.type === 'message' ? content.message.body.content : JSON.stringify(content.sent)),
  );

/** Rejects an item that cannot be written as a file: every attached item can be downloaded and sent as one. */
export function checkWritten(content: ItemContent, modifiedAt: number): void {
  try {
    itemFile(content, { uid: '', modifiedAt });
  } catch (error) {
    if (!(error instanceof MailValueError)) throw error;
    throw errors.ErrorMimeContentInvalid({
      reason: `the attached item has a value that mail cannot have (${error.message})`,
    });
  }
}
