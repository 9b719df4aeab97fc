import { copyAttachments } from '../attachments/store.ts';
import { copyBlob } from '../blobs/store.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import type { Message } from './types.ts';
import { createMessage } from './write.ts';

/** Copies a message to a folder, with copies of its attachments and its MIME source. */
export async function copyMessage(writer: MailboxWriter, message: Message, folder: string): Promise<Message> {
  const { uid, source, ...rest } = message;
  const copied = source === undefined ? {} : { source: await copyBlob(writer.tx, source) };
  const copy = await createMessage(writer, { ...rest, ...copied, folder });
  await copyAttachments(writer.tx, writer.key(uid), writer.key(copy.uid));
  return copy;
}
