import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import type { Call } from '../../../kernel/service/index.ts';
import { appOf } from '../access/access.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { type Attachment, attachmentKey, attachments } from './collections.ts';
import { readFile } from './files.ts';
import { findReport } from './find.ts';
import { fileAddress } from './links.ts';
import { Location } from './schemas.ts';

const MOST_LISTED = 1000;

const AttachmentView = Type.Object({
  appId: Type.String(),
  attachmentId: Type.String(),
  crashId: Type.String(),
  blobLocation: Type.String(),
  contentType: Type.String(),
  fileName: Type.String(),
  createdTime: Type.String(),
  size: Type.Integer(),
});

export const listAttachments = routeCode(['errorId'], {
  responses: { 200: Type.Array(AttachmentView) },
  handle: async (call) =>
    ok(
      (await attachmentsOf(call, call.params.errorId)).map((attachment) => ({
        appId: attachment.appId,
        attachmentId: attachment.id,
        crashId: attachment.reportId,
        blobLocation: blobLocationOf(attachment),
        contentType: attachment.contentType,
        fileName: attachment.fileName,
        createdTime: attachment.createdAt,
        size: attachment.size,
      })),
    ),
});

/** The attachment's file in the jar; its download URL is requested separately. */
export const blobLocationOf = ({ appId, reportId, id }: Attachment): string => attachmentKey(appId, reportId, id);

export async function attachmentsOf(call: Call, reportId: string): Promise<Attachment[]> {
  const { appId, id } = await findReport(call, reportId);
  const page = await call.jar.store.query(attachments, { prefix: `${appId}/${id}/`, limit: MOST_LISTED });
  return page.items.map(({ value }) => value);
}

export async function findAttachment(call: Call, reportId: string, attachmentId: string): Promise<Attachment> {
  const key = attachmentKey(appOf(call).id, reportId.toLowerCase(), attachmentId.toLowerCase());
  const found = (await call.jar.store.get(attachments, key))?.value;
  if (found) return found;
  throw errors.NotFound({ reason: `The error has no attachment '${attachmentId.slice(0, 100)}'.` });
}

/** The attachment as text, whatever its content type. */
export async function attachmentText(call: Call, attachment: Attachment): Promise<string> {
  return (await readFile(call.jar.store, blobLocationOf(attachment))).toString('utf8');
}

export const getAttachmentText = routeCode(['errorId', 'attachmentId'], {
  responses: { 200: Type.Object({ content: Type.String() }) },
  async handle(call) {
    const attachment = await findAttachment(call, call.params.errorId, call.params.attachmentId);
    return ok({ content: await attachmentText(call, attachment) });
  },
});

export const getAttachmentLocation = routeCode(['errorId', 'attachmentId'], {
  responses: { 200: Location },
  async handle(call) {
    const attachment = await findAttachment(call, call.params.errorId, call.params.attachmentId);
    return ok({ uri: fileAddress(call, 'attachment', blobLocationOf(attachment)) });
  },
});
