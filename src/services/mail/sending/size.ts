import { errors } from '../errors.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';

/** A mail with its attachments, in the form in which it travels. */
export async function checkSize({ jar, tx }: MailboxWriter, raw: Buffer): Promise<void> {
  const { messageSizeLimit: maximum } = await jar.settings.within(tx);
  if (raw.length > maximum) throw errors.ErrorMessageSizeExceeded({ maximum });
}
