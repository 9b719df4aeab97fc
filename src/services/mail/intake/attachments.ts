import { putAttachment } from '../attachments/store.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import type { MailAttachment } from '../mime/types.ts';

/** Stores the attachments of a mail with its message. */
export async function keepAttachments(
  writer: MailboxWriter,
  message: string,
  attachments: readonly MailAttachment[],
): Promise<void> {
  for (const { name, contentType, contentId, contentLocation, isInline, bytes, isMessage } of attachments) {
    const given = {
      name,
      contentType,
      isInline,
      size: bytes.length,
      modifiedAt: writer.now,
      kind: isMessage ? ('item' as const) : ('file' as const),
      ...(isMessage && { item: { type: 'message' as const, form: 'mime' as const } }),
      ...(contentId !== undefined && { contentId }),
      ...(contentLocation !== undefined && { contentLocation }),
    };
    await putAttachment(writer.tx, writer.key(message), given, bytes);
  }
}
