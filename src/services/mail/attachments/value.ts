import { type Answer, ok } from '../../../kernel/http/index.ts';
import type { MailCall } from '../api/request.ts';
import { readBlob, streamBlob } from '../blobs/store.ts';
import { errors } from '../errors.ts';
import type { ItemSource } from '../extras/item.ts';
import { sentType } from './content-type.ts';
import { findAttachment } from './find.ts';
import { type ItemFile, itemFile } from './item-file.ts';
import { storedItem } from './stored-item.ts';
import type { Attachment } from './types.ts';

/** `GET …/attachments/{id}/$value`: the bytes of a file, or an item as MIME, iCalendar or vCard. */
export const getAttachmentValue =
  (source: ItemSource) =>
  async (call: MailCall): Promise<Answer> => {
    const { value: attachment } = await findAttachment(call, await source.find(call));
    const { kind, blob, size, contentType } = attachment;
    if (kind === 'reference' || blob === undefined)
      throw errors.MethodNotAllowed__Reference({}, { headers: { allow: '' } });
    if (kind === 'item') {
      const file = await fileOfItem(call, attachment, blob);
      return ok(file.bytes, headersOf(file.contentType));
    }
    return ok(streamBlob(call.jar.store, blob, size), {
      ...headersOf(sentType(contentType)),
      'content-length': String(size),
    });
  };

/** Browsers must only save the content, never run or show it. */
const headersOf = (contentType: string): Record<string, string> => ({
  'content-type': contentType,
  'content-disposition': 'attachment',
});

async function fileOfItem({ jar }: MailCall, attachment: Attachment, blob: string): Promise<ItemFile> {
  const bytes = await readBlob(jar.store, blob);
  return attachment.item?.form === 'mime'
    ? { contentType: 'message/rfc822', bytes }
    : itemFile(storedItem(bytes), attachment);
}
