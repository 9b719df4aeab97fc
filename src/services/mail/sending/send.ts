import { putBlob, readBlob } from '../blobs/store.ts';
import { errors } from '../errors.ts';
import { MOST_RECIPIENTS } from '../limits.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import type { Address, Message } from '../messages/types.ts';
import { moveMessage, removeMessage } from '../messages/write.ts';
import { checkAddresses } from './addresses.ts';
import { composeMessage } from './compose.ts';
import { queueMail } from './queue.ts';
import { sentForm } from './sent-form.ts';
import { checkSize } from './size.ts';

/** Sends a draft. It moves to the sent items, or is removed if the client wants no copy. Its immutable id does not change. */
export async function sendDraft(
  writer: MailboxWriter,
  draft: Message,
  { isSaved = true }: { readonly isSaved?: boolean } = {},
): Promise<void> {
  const { tx, mailbox, now } = writer;
  const to = recipientsOf(draft);
  checkAddresses(draft.replyTo);
  checkSender(writer, draft);
  const message: Message = { ...draft, isDraft: false, sentAt: now, receivedAt: now };
  const key = writer.key(draft.uid);
  const raw =
    draft.source === undefined ? await composeMessage(tx, key, message) : await givenMail(writer, draft, draft.source);
  await checkSize(writer, raw);
  await queueMail(writer, {
    raw,
    from: mailbox.address,
    to,
    subject: message.subject,
    messageId: message.internetMessageId,
  });
  if (!isSaved) return removeMessage(writer, draft);
  const isBlind = message.bcc.length > 0 && draft.source === undefined;
  const source = draft.source ?? (await putBlob(tx, isBlind ? await composeMessage(tx, key, message, true) : raw));
  const size = raw.length;
  const sent = { isDraft: false, isRead: true, sentAt: now, receivedAt: now, size, source, calendar: undefined };
  await moveMessage(writer, draft, mailbox.wellKnown.sentitems, sent);
}

/** A draft from MIME is sent as the client supplied it. */
async function givenMail(
  { tx, mailbox, now }: MailboxWriter,
  { from, internetMessageId }: Message,
  source: string,
): Promise<Buffer> {
  const address = from?.address ?? mailbox.address;
  return sentForm(await readBlob(tx, source), { from: `<${address}>`, date: now, messageId: internetMessageId });
}

export function recipientsOf({ to, cc, bcc }: Pick<Message, 'to' | 'cc' | 'bcc'>): string[] {
  const all = [...to, ...cc, ...bcc];
  if (all.length === 0) throw errors.ErrorInvalidRecipients({ reason: 'At least one recipient is required.' });
  if (all.length > MOST_RECIPIENTS)
    throw errors.ErrorExceededMaxRecipientLimit({ maximum: MOST_RECIPIENTS, count: all.length });
  checkAddresses(all);
  return all.map(({ address }) => address);
}

/** Sending on behalf of another mailbox is not allowed. */
function checkSender({ mailbox }: MailboxWriter, { from, sender }: Message): void {
  const isOwn = (who: Address | undefined): boolean =>
    who === undefined || who.address.toLowerCase() === mailbox.address.toLowerCase();
  const foreign = [from, sender].find((who) => !isOwn(who));
  if (foreign) throw errors.ErrorSendAsDenied({ address: foreign.address.slice(0, 100) });
}
