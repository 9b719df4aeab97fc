import type { Operation } from '../api/request.ts';
import { type ItemSource, withArticle } from '../extras/item.ts';
import { deleteOneAttachment, postAttachment } from './change.ts';
import { countAttachments, getOneAttachment, listAttachments } from './list.ts';
import { createUploadSession } from './uploads/create.ts';
import { getAttachmentValue } from './value.ts';

/** Operations on attachments of messages or events. */
export function attachmentOperations(source: ItemSource): readonly Operation[] {
  const { kind, set, needs } = source;
  const path = `${set}/{${kind}}/attachments`;
  const of = kind === 'message' ? 'Message' : 'Event';
  // Events in shared calendars allow these operations, except upload sessions, which the real service allows only in the user's own
  // mailbox.
  const isSharable = kind === 'event';
  return [
    {
      method: 'GET',
      path,
      name: `List${of}Attachments`,
      summary: `The attachments of ${withArticle(kind)}`,
      needs: needs.read,
      isSharable,
      handle: listAttachments(source),
    },
    {
      method: 'GET',
      path: `${path}/$count`,
      name: `Count${of}Attachments`,
      summary: `The number of attachments of ${withArticle(kind)}`,
      needs: needs.read,
      isSharable,
      handle: countAttachments(source),
    },
    {
      method: 'POST',
      path,
      name: `Add${of}Attachment`,
      summary: `Attaches a file, an item or a reference to ${withArticle(kind)}`,
      needs: needs.write,
      isSharable,
      handle: postAttachment(source),
    },
    {
      method: 'POST',
      path: `${path}/createUploadSession`,
      name: `Create${of}UploadSession`,
      summary: `Creates an upload session that attaches a large file to ${withArticle(kind)}`,
      needs: needs.write,
      handle: createUploadSession(source),
    },
    {
      method: 'GET',
      path: `${path}/{attachment}`,
      name: `Get${of}Attachment`,
      summary: `One attachment of ${withArticle(kind)}`,
      needs: needs.read,
      isSharable,
      handle: getOneAttachment(source),
    },
    {
      method: 'GET',
      path: `${path}/{attachment}/$value`,
      name: `Get${of}AttachmentValue`,
      summary: `The content of an attachment of ${withArticle(kind)}`,
      needs: needs.read,
      isSharable,
      handle: getAttachmentValue(source),
    },
    {
      method: 'DELETE',
      path: `${path}/{attachment}`,
      name: `Delete${of}Attachment`,
      summary: `Removes an attachment of ${withArticle(kind)}`,
      needs: needs.write,
      isSharable,
      handle: deleteOneAttachment(source),
    },
  ];
}
