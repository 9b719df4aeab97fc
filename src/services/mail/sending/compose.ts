import type { Reader } from '../../../kernel/store/index.ts';
import { outgoingAttachments } from '../attachments/outgoing.ts';
import { errors } from '../errors.ts';
import type { Message } from '../messages/types.ts';
import { MailValueError } from '../mime/errors.ts';
import type { OutgoingMail } from '../mime/types.ts';
import { composeMail } from '../mime/write.ts';
import { mailOf } from './mail-of.ts';

/** Composes an outgoing message (RFC 5322). `isOwnCopy` keeps Bcc, which no recipient may see. */
export async function composeMessage(
  reader: Reader,
  key: string,
  message: Message,
  isOwnCopy = false,
): Promise<Buffer> {
  const mail = await outgoingMail(reader, key, message, isOwnCopy);
  try {
    return composeMail(mail);
  } catch (error) {
    if (!(error instanceof MailValueError)) throw error;
    throw errors.ErrorMimeContentInvalid({ reason: error.message }, { target: error.field, cause: error });
  }
}

export const outgoingMail = async (
  reader: Reader,
  key: string,
  message: Message,
  isOwnCopy: boolean,
): Promise<OutgoingMail> => mailOf(message, await outgoingAttachments(reader, key), isOwnCopy);
