import { type Answer, created } from '../../../../kernel/http/index.ts';
import { etag } from '../../../../kernel/ids/index.ts';
import { isoTime } from '../../../../kernel/time/index.ts';
import { flag, mistake, nullable, number, object, parameters, word } from '../../api/fields.ts';
import type { MailCall } from '../../api/request.ts';
import { baseOf } from '../../api/show.ts';
import { uploadSessions } from '../../collections.ts';
import { errors } from '../../errors.ts';
import { type ItemSource, itemName, keyOfItem } from '../../extras/item.ts';
import { EXPIRE_UPLOAD, expiryId } from '../../work.ts';
import { checkRoom } from '../add.ts';
import { typeOfName } from '../content-type.ts';
import { attachmentName, contentIdText, mediaType } from '../input.ts';
import { LARGEST_UPLOAD_BYTES, SMALLEST_UPLOAD_BYTES } from '../limits.ts';
import { attachmentsOf } from '../store.ts';
import { ATTACHMENT_KINDS } from '../types.ts';
import { uploadUrl } from './address.ts';
import type { UploadSession } from './types.ts';

const PARAMETERS = {
  AttachmentItem: object('attachmentItem', {
    attachmentType: word(ATTACHMENT_KINDS),
    name: attachmentName,
    size: number(0, Number.MAX_SAFE_INTEGER),
    isInline: nullable(flag),
    contentId: contentIdText,
    contentType: mediaType,
  }),
};

/** `POST …/attachments/createUploadSession` */
export const createUploadSession =
  (source: ItemSource) =>
  async (call: MailCall): Promise<Answer> => {
    const { jar, mailbox, caller } = call;
    if (caller.kind === 'user' && caller.objectId.toLowerCase() !== mailbox.id)
      throw errors.ErrorAccessDenied__Mailbox({ user: mailbox.address });
    const given = readItem(call);
    const session = await jar.store.transact(async (tx): Promise<UploadSession> => {
      const item = await source.find(call, tx);
      const before = await attachmentsOf(tx, keyOfItem(item));
      await checkRoom({ jar, tx }, item.document.body, [...before, given]);
      const { uploadSessionLifetime } = await jar.settings.within(tx);
      const begun: UploadSession = {
        ...given,
        uid: etag(),
        mailbox: mailbox.id,
        kind: source.kind,
        item: item.document.uid,
        itemName: itemName(source, call, item),
        version: call.version,
        application: caller.applicationId,
        callerId: caller.objectId,
        callerName: caller.name,
        received: 0,
        blob: etag(),
        expiresAt: jar.clock.now() + uploadSessionLifetime,
      };
      await tx.put(uploadSessions, begun.uid, begun);
      await tx.schedule(EXPIRE_UPLOAD.at(begun.expiresAt, { session: begun.uid }, expiryId(begun.uid)));
      return begun;
    });
    return created({
      '@odata.context': `${baseOf(call)}/$metadata#microsoft.graph.uploadSession`,
      uploadUrl: uploadUrl(jar, call.origin, session.uid),
      expirationDateTime: isoTime(session.expiresAt),
      nextExpectedRanges: ['0-'],
    });
  };

type Given = Pick<UploadSession, 'name' | 'contentType' | 'isInline' | 'contentId' | 'size'>;

function readItem(call: MailCall): Given {
  const { AttachmentItem: item } = parameters('createUploadSession', PARAMETERS, call.json());
  if (!item) throw mistake('AttachmentItem', 'it is required');
  const { attachmentType = 'file', name, size, isInline, contentId, contentType } = item;
  if (attachmentType !== 'file') throw mistake('AttachmentItem/attachmentType', 'only files can be uploaded in ranges');
  if (!name) throw mistake('AttachmentItem/name', 'it is required');
  if (size === undefined) throw mistake('AttachmentItem/size', 'it is required');
  const target = { target: 'AttachmentItem/size' };
  if (size < SMALLEST_UPLOAD_BYTES)
    throw errors.ErrorAttachmentSizeShouldNotBeLessThanMinimumSize({ minimum: SMALLEST_UPLOAD_BYTES }, target);
  if (size > LARGEST_UPLOAD_BYTES) throw errors.ErrorMessageSizeExceeded({ maximum: LARGEST_UPLOAD_BYTES }, target);
  return {
    name,
    size,
    isInline: isInline ?? false,
    contentType: contentType ?? typeOfName(name),
    ...(contentId && { contentId }),
  };
}
