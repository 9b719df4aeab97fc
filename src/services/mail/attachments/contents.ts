import type { Reader } from '../../../kernel/store/index.ts';
import { readBlob, readBlobText } from '../blobs/store.ts';
import { errors } from '../errors.ts';
import type { Mailbox } from '../mailbox/types.ts';
import { parsedItem } from './attached-mail.ts';
import { MOST_SHOWN_BYTES } from './limits.ts';
import { storedItem } from './stored-item.ts';
import type { Attachment, ItemContent } from './types.ts';

/** Reads the contents of attachments for one answer, up to a total size. */
export class Contents {
  readonly #reader: Reader;
  readonly #mailbox: Mailbox;
  #left = MOST_SHOWN_BYTES;

  constructor(reader: Reader, mailbox: Mailbox) {
    this.#reader = reader;
    this.#mailbox = mailbox;
  }

  /** The bytes of a file in base64. */
  async text({ blob, size }: Attachment): Promise<string> {
    this.#take(size);
    return blob === undefined ? '' : readBlobText(this.#reader, blob);
  }

  async item(attachment: Attachment): Promise<ItemContent | undefined> {
    this.#take(attachment.size);
    return itemContent(this.#reader, this.#mailbox, attachment);
  }

  #take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left >= 0) return;
    const reason = `The attachments of this answer have more than ${MOST_SHOWN_BYTES} bytes. Exclude 'contentBytes' with $select, request fewer items with $top, or read each attachment with '/$value'.`;
    throw errors.ErrorInvalidRequest({ reason }, { target: 'contentBytes' });
  }
}

/** The item in an item attachment; undefined if it cannot be parsed. */
export async function itemContent(
  reader: Reader,
  mailbox: Mailbox,
  { item, blob, modifiedAt }: Attachment,
): Promise<ItemContent | undefined> {
  if (!item || blob === undefined) return undefined;
  const bytes = await readBlob(reader, blob);
  return item.form === 'mime' ? parsedItem(mailbox, bytes, modifiedAt) : storedItem(bytes);
}
