import { etag } from '../../../kernel/ids/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { deleteBlob, putBlob } from '../blobs/store.ts';
import { queuedMails } from '../collections.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { ROUTE_MAIL, routeId } from '../work.ts';
import type { QueuedMail } from './types.ts';

export interface Submission {
  readonly raw: Buffer;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly messageId: string;
}

/** The sender: a mailbox, or the jar itself. */
type Sending = Pick<MailboxWriter, 'tx' | 'now'> & { readonly mailbox?: MailboxWriter['mailbox'] };

/** Queues a mail in the transaction that causes it. Repeated recipients get it once. */
export async function queueMail(
  { tx, now, mailbox }: Sending,
  { raw, from, to, subject, messageId }: Submission,
): Promise<void> {
  const recipients = [...new Map(to.map((address) => [address.toLowerCase(), address])).values()];
  if (recipients.length === 0) return;
  const id = etag();
  const blob = await putBlob(tx, raw);
  await tx.put(queuedMails, id, {
    id,
    mailbox: mailbox?.id ?? '',
    from,
    subject,
    messageId,
    recipients,
    blob,
    queuedAt: now,
    relayed: 0,
  });
  await tx.schedule(ROUTE_MAIL.at(now, { mail: id }, routeId(id)));
}

/** Deletes a queued mail after its last recipient. */
export async function forgetMail(tx: Tx, { id, blob }: QueuedMail): Promise<void> {
  await tx.delete(queuedMails, id);
  await deleteBlob(tx, blob);
}
