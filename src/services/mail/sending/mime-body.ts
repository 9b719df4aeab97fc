import type { MailCall } from '../api/request.ts';
import { putBlob } from '../blobs/store.ts';
import { errors } from '../errors.ts';
import { keepAttachments } from '../intake/attachments.ts';
import { parseIncoming } from '../intake/incoming.ts';
import { messageOf } from '../intake/message-of.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { sentMeeting } from '../meetings/sent.ts';
import { ownerOf } from '../messages/draft.ts';
import type { Message } from '../messages/types.ts';
import { createMessage } from '../messages/write.ts';
import { findInvitation } from '../mime/invitation.ts';
import { isProblem } from '../mime/problem.ts';
import { checkSize } from './size.ts';

/** True if the body is a whole mail in base64, with the type `text/plain`. */

export const isMimeBody = ({ headers }: MailCall): boolean =>
  /^\s*text\/plain\s*(;|$)/i.test(String(headers['content-type'] ?? ''));

export function mimeBytes({ bytes }: MailCall): Buffer {
  const text = bytes?.toString('latin1').replace(/\s+/g, '') ?? '';
  if (text === '' || text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text))
    throw errors.ErrorMimeContentInvalidBase64String();
  return Buffer.from(text, 'base64');
}

/** A draft with everything from the mail. */
export async function draftFromMime(
  writer: MailboxWriter,
  raw: Buffer,
  folder: string = writer.mailbox.wellKnown.drafts,
): Promise<Message> {
  await checkSize(writer, raw);
  const incoming = parseIncoming(raw, '', '');
  if (isProblem(incoming)) throw errors.ErrorMimeContentInvalid({ reason: incoming.reason });
  const { attachments } = incoming.parsed;
  const owner = ownerOf(writer.mailbox);
  const invitation = findInvitation(incoming.parsed, writer.mailbox.settings.zone);
  const meeting = invitation && !isProblem(invitation) ? sentMeeting(invitation.calendar, writer.now) : undefined;
  const given = messageOf(writer, incoming, attachments);
  const { from = owner, sender = from } = given;
  const draft = await createMessage(writer, {
    ...given,
    from,
    sender,
    folder,
    isDraft: true,
    isRead: true,
    sentAt: writer.now,
    source: await putBlob(writer.tx, raw),
    ...(meeting && { meeting }),
  });
  await keepAttachments(writer, draft.uid, attachments);
  return draft;
}
