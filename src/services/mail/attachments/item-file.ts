import type { OutgoingAttachment } from '../mime/types.ts';
import { composeMail } from '../mime/write.ts';
import { mailOf } from '../sending/mail-of.ts';
import { writeEvent } from './attached-event.ts';
import { BYTES_TYPE } from './content-type.ts';
import type { Attachment, ItemContent, NestedAttachment } from './types.ts';
import { writeContact } from './vcard.ts';

export interface ItemFile {
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** Writes an attached item as a file: a mail, a calendar or a vCard. */
export function itemFile(content: ItemContent, { uid, modifiedAt }: Pick<Attachment, 'uid' | 'modifiedAt'>): ItemFile {
  if (content.type === 'message') {
    const mail = mailOf(content.message, content.attachments.map(nestedFile), true);
    return { contentType: 'message/rfc822', bytes: composeMail(mail) };
  }
  if (content.type === 'event')
    return { contentType: 'text/calendar', bytes: Buffer.from(writeEvent(content.sent, uid, modifiedAt)) };
  return { contentType: 'text/vcard', bytes: Buffer.from(writeContact(content.sent)) };
}

function nestedFile({ attachment, bytes, content }: NestedAttachment): OutgoingAttachment {
  return content
    ? outgoingItem(attachment, itemFile(content, attachment))
    : outgoingFile(attachment, Buffer.from(bytes ?? '', 'base64'));
}

const ENDINGS: Readonly<Record<string, string>> = {
  'message/rfc822': '.eml',
  'text/calendar': '.ics',
  'text/vcard': '.vcf',
};

export const outgoingItem = ({ name, isInline }: Attachment, { contentType, bytes }: ItemFile): OutgoingAttachment => ({
  name: name.toLowerCase().endsWith(ENDINGS[contentType] ?? '') ? name : `${name}${ENDINGS[contentType]}`,
  contentType,
  isInline,
  bytes,
  ...(contentType === 'message/rfc822' && { isMessage: true }),
});

/** A reference attachment is sent as a link, in a file that mail clients open. */
export function outgoingFile(attachment: Attachment, bytes: Buffer): OutgoingAttachment {
  const { name, contentType, contentId, contentLocation, isInline, reference } = attachment;
  if (reference)
    return {
      name: `${name}.url`,
      contentType: 'application/internet-shortcut',
      isInline: false,
      bytes: Buffer.from(`[InternetShortcut]\r\nURL=${reference.sourceUrl}\r\n`),
    };
  return {
    name,
    contentType: /^[\w.+-]+\/[\w.+-]+/.exec(contentType ?? '')?.[0] ?? BYTES_TYPE,
    isInline,
    bytes,
    ...(contentId !== undefined && { contentId }),
    ...(contentLocation !== undefined && { contentLocation }),
  };
}
