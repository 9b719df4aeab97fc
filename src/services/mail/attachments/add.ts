import { errors } from '../errors.ts';
import { type Item, keyOfItem } from '../extras/item.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import type { ItemBody } from '../messages/types.ts';
import type { NewAttachment } from './input.ts';
import { checkWritten, describe } from './item-content.ts';
import { MOST_ATTACHMENTS } from './limits.ts';
import { attachmentsOf, deleteAttachment, putAttachment } from './store.ts';
import type { Attachment } from './types.ts';

/** Adds and removes attachments together with the item's properties about them. */

/** Adds attachments to an existing item. */
export async function addAttachments(
  writer: MailboxWriter,
  item: Item,
  given: readonly NewAttachment[],
): Promise<{ readonly item: Item; readonly added: readonly Attachment[] }> {
  const key = keyOfItem(item);
  const before = await attachmentsOf(writer.tx, key);
  const added = await putNewAttachments(writer, key, item.document.body, given, before);
  return { item: await item.change(writer, changeBy(item, added)), added };
}

/** Stores the attachments of an item that is written in the same transaction; the caller sets the item's `attachedFields`. */
export async function putNewAttachments(
  writer: MailboxWriter,
  key: string,
  body: ItemBody,
  given: readonly NewAttachment[],
  before: readonly Attachment[] = [],
): Promise<readonly Attachment[]> {
  const first = nextPosition(before);
  const described = given.map((each, index) => describe(writer, each, first + index));
  await checkRoom(writer, body, [...before, ...described.map(({ attachment }) => attachment)]);
  const added: Attachment[] = [];
  for (const [index, { attachment, content }] of described.entries()) {
    const each = given[index]!;
    if (content) checkWritten(content, writer.now);
    const bytes = each.kind === 'file' ? each.bytes : content && Buffer.from(JSON.stringify(content));
    added.push(await putAttachment(writer.tx, key, attachment, bytes));
  }
  return added;
}

/** Properties of a new message or event that follow from its attachments. */
export const attachedFields = (given: readonly NewAttachment[]): { readonly hasAttachments?: true } =>
  given.some(({ isInline }) => !isInline) ? { hasAttachments: true } : {};

/** Total bytes of the files that are sent with a message. */
export const attachedBytes = (given: readonly NewAttachment[]): number =>
  given.reduce((sum, each) => sum + (each.kind === 'file' ? each.bytes.length : 0), 0);

export const nextPosition = (before: readonly Attachment[]): number => (before.at(-1)?.position ?? -1) + 1;

export const changeBy = (item: Item, added: readonly Attachment[]) => ({
  hasAttachments: item.document.hasAttachments || added.some(({ isInline }) => !isInline),
  attachedBytes: sizeOf(added),
});

export async function removeAttachment(writer: MailboxWriter, item: Item, attachment: Attachment): Promise<void> {
  const key = keyOfItem(item);
  await deleteAttachment(writer.tx, key, attachment);
  const left = await attachmentsOf(writer.tx, key);
  await item.change(writer, {
    hasAttachments: left.some(({ isInline }) => !isInline),
    attachedBytes: -attachment.size,
  });
}

type Sized = Pick<Attachment, 'size'>;
const sizeOf = (attachments: readonly Sized[]): number => attachments.reduce((sum, { size }) => sum + size, 0);

/** The size limit of an item includes all of its attachments, however they were added. */
export async function checkRoom(
  { jar, tx }: Pick<MailboxWriter, 'jar' | 'tx'>,
  { content }: ItemBody,
  attachments: readonly Sized[],
): Promise<void> {
  if (attachments.length > MOST_ATTACHMENTS) {
    const reason = `An item can have at most ${MOST_ATTACHMENTS} attachments; this one would have ${attachments.length}.`;
    throw errors.ErrorInvalidRequest({ reason }, { target: 'attachments' });
  }
  const maximum = (await jar.settings.within(tx)).messageSizeLimit;
  if (Buffer.byteLength(content) + sizeOf(attachments) > maximum)
    throw errors.ErrorMessageSizeExceeded({ maximum }, { target: 'attachments' });
}
