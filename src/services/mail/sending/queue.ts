import { etag } from '../../../kernel/ids/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { deleteBlob, putBlob } from '../blobs/store.ts';
import { queuedMails } from '../collections.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import type { MeetingMessage } from '../messages/types.ts';
import { ROUTE_MAIL, routeId } from '../work.ts';
import type { QueuedMail } from './types.ts';

export interface Submission {
  readonly raw: Buffer;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly messageId: string;
  readonly delegated?: MeetingMessage;
}

/** Hands a mail over for transport, in the transaction of what caused it. Everybody gets it once, however often they are named. */
export async function queueMail(
  writer: MailboxWriter,
  { raw, from, to, subject, messageId, delegated }: Submission,
): Promise<void> {
  const { tx, mailbox, now } = writer;
  const recipients = [...new Map(to.map((address) => [address.toLowerCase(), address])).values()];
  if (recipients.length === 0) return;
  const id = etag();
  const blob = await putBlob(tx, raw);
  await tx.put(queuedMails, id, {
    id,
    mailbox: mailbox.id,
    from,
    subject,
    messageId,
    recipients,
    blob,
    queuedAt: now,
    relayed: 0,
    ...(delegated && { delegated }),
  });
  await tx.schedule(ROUTE_MAIL.at(now, { mail: id }, routeId(id)));
}

/** Nobody is left to get it. */
export async function forgetMail(tx: Tx, { id, blob }: QueuedMail): Promise<void> {
  await tx.delete(queuedMails, id);
  await deleteBlob(tx, blob);
}
