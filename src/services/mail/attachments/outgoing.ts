import type { Reader } from '../../../kernel/store/index.ts';
import { readBlob } from '../blobs/store.ts';
import type { OutgoingAttachment } from '../mime/types.ts';
import { itemFile, outgoingFile, outgoingItem } from './item-file.ts';
import { attachmentsOf } from './store.ts';
import { storedItem } from './stored-item.ts';
import type { Attachment } from './types.ts';

/** Converts the attachments of an item to parts of a mail. */
export async function outgoingAttachments(reader: Reader, item: string): Promise<OutgoingAttachment[]> {
  const outgoing: OutgoingAttachment[] = [];
  for (const attachment of await attachmentsOf(reader, item))
    outgoing.push(await outgoingAttachment(reader, attachment));
  return outgoing;
}

export async function outgoingAttachment(reader: Reader, attachment: Attachment): Promise<OutgoingAttachment> {
  const bytes = attachment.blob === undefined ? Buffer.alloc(0) : await readBlob(reader, attachment.blob);
  if (attachment.item?.form === 'mime') return outgoingItem(attachment, { contentType: 'message/rfc822', bytes });
  if (attachment.item) return outgoingItem(attachment, itemFile(storedItem(bytes), attachment));
  return outgoingFile(attachment, bytes);
}
