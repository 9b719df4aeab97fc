import { ok } from '../../../kernel/http/index.ts';
import { itemFile } from '../attachments/item-file.ts';
import { getAttachment } from '../attachments/store.ts';
import { storedItem } from '../attachments/stored-item.ts';
import { readBlob, streamBlob } from '../blobs/store.ts';
import { routeCode } from '../jar.ts';
import { composeMessage } from '../sending/compose.ts';
import { mailControlErrors } from './errors.ts';
import { mailboxNamed, messageNamed } from './find.ts';

/** Browsers must only save the content, never run or show it. */
export const mimeHeaders = { 'content-type': 'message/rfc822', 'content-disposition': 'attachment' };

/** The message as received or sent, or a draft as it would be sent. */
export const getSource = routeCode(['user', 'message'], {
  responses: { 200: 'The message as MIME' },
  async handle({ jar, params }) {
    const mailbox = await mailboxNamed(jar, params.user);
    const { key, value } = await messageNamed(jar, mailbox, params.message);
    const bytes =
      value.source === undefined
        ? await composeMessage(jar.store, key, value, true)
        : await readBlob(jar.store, value.source);
    return ok(bytes, mimeHeaders);
  },
});

/** The bytes of a file, or an attached item as MIME, iCalendar or vCard. */
export const getAttachmentContent = routeCode(['user', 'message', 'attachment'], {
  responses: { 200: 'The content of the attachment' },
  async handle({ jar, params }) {
    const mailbox = await mailboxNamed(jar, params.user);
    const { key } = await messageNamed(jar, mailbox, params.message);
    const attachment = await getAttachment(jar.store, key, params.attachment);
    if (!attachment) throw mailControlErrors.AttachmentNotFound({ attachment: params.attachment.slice(0, 100) });
    const { name, blob, size, item, reference } = attachment;
    if (reference) throw mailControlErrors.AttachmentEmpty({ name, url: reference.sourceUrl });
    const headers = { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' };
    if (blob === undefined) return ok(Buffer.alloc(0), headers);
    if (item?.form === 'mime') return ok(await readBlob(jar.store, blob), headers);
    if (item) return ok(itemFile(storedItem(await readBlob(jar.store, blob)), attachment).bytes, headers);
    return ok(streamBlob(jar.store, blob, size), { ...headers, 'content-length': String(size) });
  },
});
