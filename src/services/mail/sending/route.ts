import type { Tx } from '../../../kernel/store/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import { readBlob } from '../blobs/store.ts';
import { mailboxes, queuedMails } from '../collections.ts';
import { delegatesFor } from '../intake/delegates.ts';
import { type IncomingMail, parseIncoming } from '../intake/incoming.ts';
import { targetOf } from '../intake/receive.ts';
import { isLocalDomain } from '../intake/recipients.ts';
import { deliverToTargets, type Target, writtenBy } from '../intake/targets.ts';
import type { MailJar } from '../jar.ts';
import type { Mailbox } from '../mailbox/types.ts';
import { writingMailbox, writingMailboxes } from '../mailbox/writer.ts';
import { isProblem, type Problem } from '../mime/problem.ts';
import { ROUTE_MAIL } from '../work.ts';
import { forgetMail } from './queue.ts';
import { relayMail } from './relay.ts';
import { reportNonDelivery } from './report.ts';
import type { QueuedMail } from './types.ts';

/** Recipients in one transaction, so that other writers do not wait long. */
const SLICE = 20;

/** Delivers a queued mail to its recipients, a slice in each transaction. */
export const routeMail = workHandler(ROUTE_MAIL, async (item, jar: MailJar) => {
  for (;;) {
    const mail = (await jar.store.get(queuedMails, item.payload.mail))?.value;
    const slice = mail?.recipients.slice(0, SLICE) ?? [];
    const incoming =
      mail && slice.length > 0 ? parseIncoming(await readBlob(jar.store, mail.blob), mail.from, mail.id) : undefined;
    const targets = await targetsOf(jar, slice, incoming);
    const isDone = await jar.store.transact(async (tx) => {
      const queued = mail && (await tx.get(queuedMails, mail.id))?.value;
      if (!queued || !incoming || isProblem(incoming)) {
        if (queued && incoming && isProblem(incoming)) await reportUnreadable(tx, jar, queued, incoming);
        if (queued) await forgetMail(tx, queued);
        await tx.complete(item);
        return true;
      }
      const queuedForRelay = await deliverSlice(tx, jar, queued, incoming, targets);
      const recipients = queued.recipients.slice(slice.length);
      const relayed = queued.relayed + queuedForRelay;
      if (recipients.length > 0) {
        await tx.put(queuedMails, queued.id, { ...queued, recipients, relayed });
        return false;
      }
      if (relayed === 0) await forgetMail(tx, queued);
      else await tx.put(queuedMails, queued.id, { ...queued, recipients, relayed });
      await tx.complete(item);
      return true;
    });
    if (isDone) return;
  }
});

/**
 * Handles a mail that exceeds the parser's bounds, for example with hundreds of long names in a header: no recipient gets it, and its
 * sender gets a report.
 */
async function reportUnreadable(tx: Tx, jar: MailJar, mail: QueuedMail, { reason: problem }: Problem): Promise<void> {
  const sender = await senderOf(tx, mail);
  const text = `The message cannot be read: ${problem}`;
  const reason = { cause: 'refused', code: 554, enhancedCode: '5.6.0', text, attempts: 1 } as const;
  const failures = mail.recipients.map((recipient) => ({ recipient, reason }));
  if (sender) await writingMailbox(tx, jar, sender, (writer) => reportNonDelivery(writer, mail, failures));
}

interface Targets {
  readonly local: readonly Target[];
  /** Addresses in a domain of the jar without a mailbox. */
  readonly unknown: readonly string[];
  readonly foreign: readonly string[];
}

async function targetsOf(
  jar: MailJar,
  addresses: readonly string[],
  incoming: IncomingMail | Problem | undefined,
): Promise<Targets> {
  const local = new Map<string, Target>();
  const unknown: string[] = [];
  const foreign: string[] = [];
  for (const address of addresses) {
    const mailbox = await targetOf(jar, address);
    const delegates = mailbox && incoming && !isProblem(incoming) ? await delegatesFor(jar, mailbox, incoming) : [];
    if (mailbox) local.set(mailbox.id, { mailbox, address, delegates });
    else ((await isLocalDomain(jar, address)) ? unknown : foreign).push(address);
  }
  return { local: [...local.values()], unknown, foreign };
}

const NO_MAILBOX = {
  cause: 'refused',
  code: 550,
  enhancedCode: '5.1.1',
  text: 'There is no mailbox of this name',
  attempts: 1,
} as const;

/** The mailbox that gets non-delivery reports. An undeliverable report is not reported. */
const senderOf = async (tx: Tx, { from, mailbox }: QueuedMail): Promise<Mailbox | undefined> =>
  from === '' ? undefined : (await tx.get(mailboxes, mailbox))?.value;

/** Returns the number of recipients that the relay has to reach. */
async function deliverSlice(
  tx: Tx,
  jar: MailJar,
  mail: QueuedMail,
  incoming: IncomingMail,
  { local, unknown, foreign }: Targets,
): Promise<number> {
  const sender = unknown.length > 0 ? await senderOf(tx, mail) : undefined;
  const written = [...writtenBy(local), ...(sender ? [sender] : [])];
  await writingMailboxes(tx, jar, written, async (writerOf) => {
    await deliverToTargets(writerOf, incoming, local);
    const failures = unknown.map((recipient) => ({ recipient, reason: NO_MAILBOX }));
    if (sender) await reportNonDelivery(writerOf(sender), mail, failures);
  });
  let relayed = 0;
  for (const address of foreign) if ((await relayMail(tx, jar, mail, address)) === 'queued') relayed += 1;
  return relayed;
}
