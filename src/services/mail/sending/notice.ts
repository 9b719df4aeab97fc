import { etag } from '../../../kernel/ids/index.ts';
import { type Notice, SEND_NOTICE } from '../../../kernel/notices/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import type { MailJar } from '../jar.ts';
import { newMessageId } from '../messages/draft.ts';
import { MailValueError } from '../mime/errors.ts';
import { oneLine } from '../mime/one-line.ts';
import { composeMail } from '../mime/write.ts';
import { queueMail } from './queue.ts';

/** Local part of the sender of notices, which receives no mail; replies go to the person whom the notice is about. */
const NO_REPLY = 'no-reply';

/** Queues a notice of another service as mail that belongs to no mailbox. */
export const sendNotices = workHandler(SEND_NOTICE, async (item, jar: MailJar) => {
  const { tenantId, to, subject } = item.payload;
  const domain = (await jar.directory.tenant(tenantId))?.domain;
  const now = jar.clock.now();
  const from = `${NO_REPLY}@${domain}`;
  const messageId = newMessageId(from);
  // The tenant may have been deleted.
  const raw = domain === undefined ? undefined : written(jar, item.payload, { from, messageId, now });
  await jar.store.transact(async (tx) => {
    if (raw) await queueMail({ tx, now }, { raw, from, to: [to], subject: oneLine(subject), messageId });
    await tx.complete(item);
  });
});

function written(
  { log }: MailJar,
  { sender, replyTo, to, subject, text }: Notice,
  { from, messageId, now }: { readonly from: string; readonly messageId: string; readonly now: number },
): Buffer | undefined {
  try {
    return composeMail({
      from: { name: oneLine(sender), address: from },
      ...(replyTo && { replyTo: [{ ...replyTo, name: oneLine(replyTo.name) }] }),
      to: [{ name: '', address: to }],
      subject: oneLine(subject),
      date: now,
      messageId,
      autoSubmitted: 'auto-generated',
      text,
      boundary: etag(),
    });
  } catch (error) {
    if (!(error instanceof MailValueError)) throw error;
    log.warn({ err: error, to }, 'a notice cannot be written as mail');
    return undefined;
  }
}
