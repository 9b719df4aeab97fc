import { etag } from '../../../kernel/ids/index.ts';
import { deliverLetter } from '../intake/deliver.ts';
import { openLetter } from '../intake/letter.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { newMessageId } from '../messages/draft.ts';
import { isProblem } from '../mime/problem.ts';
import { composeMail } from '../mime/write.ts';
import type { NonDelivery } from '../relay/policy.ts';
import type { QueuedMail } from './types.ts';

/** Tells the sender in a mail that a recipient did not get theirs. */
export async function reportNonDelivery(
  writer: MailboxWriter,
  mail: QueuedMail,
  recipient: string,
  reason: NonDelivery,
): Promise<void> {
  const { mailbox, now } = writer;
  const from = { name: 'Mail Delivery System', address: `postmaster@${mailbox.address.split('@')[1]}` };
  const code = [reason.code, reason.enhancedCode].filter((part) => part !== undefined).join(' ');
  const raw = composeMail({
    from,
    to: [{ name: mailbox.displayName, address: mailbox.address }],
    subject: `Undeliverable: ${mail.subject}`,
    date: now,
    messageId: newMessageId(mailbox.address),
    inReplyTo: mail.messageId,
    references: [mail.messageId],
    autoSubmitted: 'auto-replied',
    text: [
      `Your message to ${recipient} could not be delivered.`,
      '',
      `Reason: ${code === '' ? '' : `${code} `}${reason.text}`,
      `Attempts: ${reason.attempts}`,
    ].join('\n'),
    boundary: etag(),
  });
  const letter = openLetter(raw, '', etag());
  if (!isProblem(letter)) await deliverLetter(writer, letter, mailbox.address);
}
