import { putAttachment } from '../attachments/store.ts';
import type { CalendarComponent } from '../ical/types.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';

/** ATTACH of a calendar: a reference, or bytes. */
export async function putCalendarAttachments(
  writer: MailboxWriter,
  event: string,
  { attachments }: CalendarComponent,
): Promise<void> {
  for (const attachment of attachments) {
    const { name, contentType } = attachment;
    const common = { contentType: contentType || null, isInline: false, modifiedAt: writer.now };
    if (attachment.kind === 'bytes') {
      const { bytes } = attachment;
      await putAttachment(
        writer.tx,
        writer.key(event),
        { ...common, kind: 'file', name: name || 'attachment', size: bytes.length },
        bytes,
      );
      continue;
    }
    const { uri } = attachment;
    await putAttachment(writer.tx, writer.key(event), {
      ...common,
      kind: 'reference',
      name: name || uri,
      size: uri.length,
      reference: {
        sourceUrl: uri,
        providerType: 'other',
        permission: 'other',
        isFolder: false,
        previewUrl: null,
        thumbnailUrl: null,
      },
    });
  }
}
