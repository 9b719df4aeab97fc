import type { DeliveryPolicy } from '../../../kernel/delivery/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { readBlob } from '../blobs/store.ts';
import { mailboxes, queuedMails } from '../collections.ts';
import type { MailJar } from '../jar.ts';
import { writingMailbox } from '../mailbox/writer.ts';
import { readOrder } from '../relay/order.ts';
import { enqueueForRelay, relayPolicy } from '../relay/policy.ts';
import { relayOf } from '../settings.ts';
import { keepMail } from './kept.ts';
import { forgetMail } from './queue.ts';
import { reportNonDelivery } from './report.ts';
import type { QueuedMail } from './types.ts';

/** Mail to addresses outside the jar. */

/** Queues a mail for one external recipient. Without a relay, the mail is kept in the jar for inspection, and counts as sent. */
export async function relayMail(tx: Tx, jar: MailJar, mail: QueuedMail, to: string): Promise<'queued' | 'kept'> {
  const relay = relayOf(jar);
  const { id, from, mailbox, subject } = mail;
  if (relay) {
    const { relayTimeout: timeoutMs, relayLifetime } = await jar.settings.within(tx);
    const expiresAt = jar.clock.now() + relayLifetime;
    const order = { relay, message: id, from, to: [to], owner: mailbox, subject, timeoutMs, expiresAt };
    await enqueueForRelay(tx, jar.delivery, order);
    return 'queued';
  }
  await keepMail(tx, jar, mail, to);
  return 'kept';
}

const base = relayPolicy<MailJar>({
  async relay(jar) {
    const relay = relayOf(jar);
    return relay && { ...relay, timeoutMs: (await jar.settings.current()).relayAnswerTimeout };
  },
  async load(message, jar) {
    const mail = (await jar.store.get(queuedMails, message))?.value;
    return mail && readBlob(jar.store, mail.blob);
  },
  async failed(tx, order, reason, jar) {
    const mail = (await tx.get(queuedMails, order.message))?.value;
    const mailbox = mail && (await tx.get(mailboxes, mail.mailbox))?.value;
    // An undeliverable report is not reported.
    if (!mail || !mailbox || order.from === '') return undefined;
    await writingMailbox(tx, jar, mailbox, (writer) =>
      reportNonDelivery(writer, mail, [{ recipient: order.to, reason }]),
    );
    return 'reported';
  },
});

/** The mail is deleted with the last of its deliveries. */
export const mailRelay: DeliveryPolicy<MailJar> = {
  ...base,
  async ended(tx, deliveries, end, jar) {
    const result = await base.ended?.(tx, deliveries, end, jar);
    for (const { body } of deliveries) {
      const mail = (await tx.get(queuedMails, readOrder(body).message))?.value;
      if (!mail) continue;
      const relayed = mail.relayed - 1;
      if (relayed > 0 || mail.recipients.length > 0) await tx.put(queuedMails, mail.id, { ...mail, relayed });
      else await forgetMail(tx, mail);
    }
    return result;
  },
};
