import { createHash } from 'node:crypto';
import type { MailJar } from '../jar.ts';
import type { Mailbox } from '../mailbox/types.ts';
import { writingMailbox } from '../mailbox/writer.ts';
import { isProblem } from '../mime/problem.ts';
import { receivedHeader } from '../smtp/received-header.ts';
import type { ReceivedMail, Verdict } from '../smtp/types.ts';
import { deliverLetter } from './deliver.ts';
import { openLetter } from './letter.ts';
import { mailboxOf } from './recipients.ts';

/**
 * A mail that came by SMTP, into the mailboxes of all its recipients in one transaction: what is acknowledged is stored, for everybody, once. Mailboxes
 * are locked in the order of their ids, so that no two mails wait for each other.
 */
export async function receiveMail(jar: MailJar, mail: ReceivedMail): Promise<Verdict> {
  const digest = digestOf(mail);
  const now = jar.clock.now();
  const raw = Buffer.concat([Buffer.from(receivedHeader({ mail, by: SERVER_NAME, at: now })), mail.raw]);
  const letter = openLetter(raw, mail.from, digest);
  if (isProblem(letter)) return { is: 'refused', reason: letter.reason };
  const targets = new Map<string, { readonly mailbox: Mailbox; readonly address: string }>();
  for (const address of mail.to) {
    const mailbox = await mailboxOf(jar, address);
    if (!mailbox) return { is: 'refused', reason: `there is no mailbox '${address}'` };
    targets.set(mailbox.id, { mailbox, address });
  }
  const ordered = [...targets.values()].sort((a, b) => (a.mailbox.id < b.mailbox.id ? -1 : 1));
  await jar.store.transact(async (tx) => {
    for (const { mailbox, address } of ordered)
      await writingMailbox(tx, jar, mailbox, (writer) => deliverLetter(writer, letter, address));
  });
  return { is: 'stored' };
}

export const SERVER_NAME = 'cloudjar';

/** The same mail from the same sender: its bytes, without what the jar adds. */
const digestOf = ({ from, raw }: ReceivedMail): string =>
  createHash('sha256').update(from.toLowerCase()).update('\n').update(raw).digest('base64url');
