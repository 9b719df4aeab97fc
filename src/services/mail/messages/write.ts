import { etag } from '../../../kernel/ids/index.ts';
import { deleteAttachments } from '../attachments/store.ts';
import { deleteBlob } from '../blobs/store.ts';
import { messages } from '../collections.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import type { Message } from './types.ts';

type Given = Omit<Message, 'uid' | 'mailbox' | 'generation' | 'number' | 'createdNumber' | 'createdAt' | 'modifiedAt'>;

export async function createMessage(
  writer: MailboxWriter,
  given: Given & Partial<Pick<Message, 'uid' | 'createdAt'>>,
): Promise<Message> {
  const number = writer.nextNumber();
  const message: Message = {
    createdAt: writer.now,
    ...given,
    uid: given.uid ?? etag(),
    mailbox: writer.mailbox.id,
    generation: 0,
    number,
    createdNumber: number,
    modifiedAt: writer.now,
  };
  // `ifNoneMatch` says that the key is new, so the store need not look for a document to replace.
  await writer.tx.put(messages, writer.key(message.uid), message, { ifNoneMatch: '*' });
  await writer.count(message.folder, { total: 1, unread: unreadOf(message) });
  writer.note(changeOf(message, 'created'));
  return message;
}

/** Writes a message that stays in its folder. */
export async function updateMessage(
  writer: MailboxWriter,
  before: Message,
  changed: Partial<Message>,
): Promise<Message> {
  const message: Message = { ...before, ...changed, number: writer.nextNumber(), modifiedAt: writer.now };
  await writer.tx.put(messages, writer.key(message.uid), message);
  const unread = unreadOf(message) - unreadOf(before);
  if (unread !== 0) await writer.count(message.folder, { unread });
  writer.note({ ...changeOf(message, 'updated'), before });
  return message;
}

/** A moved message gets a new regular id. The change is a deletion in the old folder and a creation in the new one. */
export async function moveMessage(
  writer: MailboxWriter,
  before: Message,
  folder: string,
  changed: Partial<Message> = {},
): Promise<Message> {
  await leave(writer, before);
  const number = writer.nextNumber();
  const generation = before.generation + 1;
  const message: Message = {
    ...before,
    ...changed,
    folder,
    generation,
    number,
    createdNumber: number,
    modifiedAt: writer.now,
  };
  await writer.tx.put(messages, writer.key(message.uid), message);
  await writer.count(folder, { total: 1, unread: unreadOf(message) });
  writer.note(changeOf(message, 'created'));
  return message;
}

/** Deletes a message permanently, with its attachments and its source. */
export async function removeMessage(writer: MailboxWriter, message: Message): Promise<void> {
  await leave(writer, message);
  await writer.tx.delete(messages, writer.key(message.uid));
  await deleteAttachments(writer.tx, writer.key(message.uid));
  if (message.source !== undefined) await deleteBlob(writer.tx, message.source);
}

async function leave(writer: MailboxWriter, message: Message): Promise<void> {
  const { uid, generation, folder: container, createdNumber } = message;
  const number = writer.nextNumber();
  await writer.removed({ uid, generation, container, number, createdNumber });
  await writer.count(container, { total: -1, unread: -unreadOf(message) });
  writer.note({ ...changeOf(message, 'deleted'), number });
}

const unreadOf = ({ isRead }: Message): number => (isRead ? 0 : 1);

const changeOf = (document: Message, change: 'created' | 'updated' | 'deleted') => {
  const { uid, generation, folder: container, number } = document;
  return { item: 'message', change, uid, generation, container, number, document } as const;
};
