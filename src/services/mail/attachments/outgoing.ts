import type { Reader } from '../../../kernel/store/index.ts';
import { readBlob } from '../blobs/store.ts';
import type { OutgoingAttachment } from '../mime/types.ts';
import { itemFile, outgoingFile, outgoingItem } from './item-file.ts';
import { attachmentsOf } from './store.ts';
import { storedItem } from './stored-item.ts';
import type { Attachment } from './types.ts';

/** The attachments of an item as parts of a mail. */
export const outgoingAttachments = async (reader: Reader, item: string): Promise<OutgoingAttachment[]> =>
  outgoingParts(reader, await attachmentsOf(reader, item));

export async function outgoingParts(reader: Reader, attachments: readonly Attachment[]): Promise<OutgoingAttachment[]> {
  const outgoing: OutgoingAttachment[] = [];
  for (const attachment of attachments) {
    const bytes = attachment.blob === undefined ? Buffer.alloc(0) : await readBlob(reader, attachment.blob);
    if (attachment.item?.form === 'mime')
      outgoing.push(outgoingItem(attachment, { contentType: 'message/rfc822', bytes }));
    else if (attachment.item) outgoing.push(outgoingItem(attachment, itemFile(storedItem(bytes), attachment)));
    else outgoing.push(outgoingFile(attachment, bytes));
  }
  return outgoing;
}
