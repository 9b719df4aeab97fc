import { errors } from '../errors.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';

/** Checks the size of a mail in its encoded form, with attachments. */
export async function checkSize({ jar, tx }: MailboxWriter, raw: Buffer): Promise<void> {
  const { messageSizeLimit: maximum } = await jar.settings.within(tx);
  if (raw.length > maximum) throw errors.ErrorMessageSizeExceeded({ maximum });
}
