import { createHash } from 'node:crypto';
import type { MailJar } from '../jar.ts';
import { ensureMailbox } from '../mailbox/create.ts';
import type { Mailbox } from '../mailbox/types.ts';
import { writingMailboxes } from '../mailbox/writer.ts';
import { isProblem } from '../mime/problem.ts';
import { configurationOf } from '../settings.ts';
import { receivedHeader } from '../smtp/received-header.ts';
import type { Acceptance, ReceivedMail, Verdict } from '../smtp/types.ts';
import { delegatesFor } from './delegates.ts';
import { parseIncoming } from './incoming.ts';
import { isLocalDomain, mailboxOf } from './recipients.ts';
import { deliverToTargets, type Target, writtenBy } from './targets.ts';

/**
 * Delivers a mail from SMTP to the mailboxes of all its recipients in one transaction: an acknowledged mail is stored exactly once for
 * every recipient. Mailboxes are locked in the order of their ids, so that two mails never deadlock.
 */
export async function receiveMail(jar: MailJar, mail: ReceivedMail): Promise<Verdict> {
  const digest = digestOf(mail);
  const now = jar.clock.now();
  const raw = Buffer.concat([Buffer.from(receivedHeader({ mail, by: SERVER_NAME, at: now })), mail.raw]);
  const incoming = parseIncoming(raw, mail.from, digest);
  if (isProblem(incoming)) return { is: 'refused', reason: incoming.reason };
  const targets = new Map<string, Target>();
  for (const address of mail.to) {
    const mailbox = await targetOf(jar, address);
    if (!mailbox) return { is: 'refused', reason: `there is no mailbox '${address}'` };
    targets.set(mailbox.id, { mailbox, address, delegates: await delegatesFor(jar, mailbox, incoming) });
  }
  const all = [...targets.values()];
  await jar.store.transact((tx) =>
    writingMailboxes(tx, jar, writtenBy(all), (writerOf) => deliverToTargets(writerOf, incoming, all)),
  );
  return { is: 'stored' };
}

/** Rejects mail for other domains: the jar is not a relay. */
export async function acceptance(jar: MailJar, address: string): Promise<Acceptance> {
  if (await targetOf(jar, address)) return 'accepted';
  return (await isLocalDomain(jar, address)) ? 'no-mailbox' : 'not-local';
}

/** The mailbox of an address, otherwise the catch-all mailbox. */
export async function targetOf(jar: MailJar, address: string): Promise<Mailbox | undefined> {
  const own = await mailboxOf(jar, address);
  if (own) return own;
  const { catchAll } = configurationOf(jar);
  if (catchAll === undefined || !(await isLocalDomain(jar, address))) return undefined;
  const user = await jar.directory.findUser(catchAll);
  return user && ensureMailbox(jar, user.id);
}

export const SERVER_NAME = 'cloudjar';

/** Identifies a repeated mail from the same sender: by its bytes, without what the jar adds. */
const digestOf = ({ from, raw }: ReceivedMail): string =>
  createHash('sha256').update(from.toLowerCase()).update('\n').update(raw).digest('base64url');
