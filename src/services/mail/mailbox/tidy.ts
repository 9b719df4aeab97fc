import { allOf, atMost, deleteSome, eq, type Filter, SLICE, type Tx } from '../../../kernel/store/index.ts';
import { trySettle, untilSettled, workHandler } from '../../../kernel/work/index.ts';
import { mailboxes, messages, receivedMails } from '../collections.ts';
import type { MailJar } from '../jar.ts';
import { removeMessage } from '../messages/write.ts';
import { RECEIVED_KEPT_MS, TIDY_MAILBOX } from './tidy-work.ts';
import type { Mailbox } from './types.ts';
import { changeMailbox } from './writer.ts';

/** Messages removed in one transaction; few, since each has attachments and a source. */
const FEW = 50;

/** Removes messages that can no longer be recovered, and expired deduplication records of received mails. */
export const tidyMailbox = workHandler(TIDY_MAILBOX, async (item, jar: MailJar) => {
  const mailbox = (await jar.store.get(mailboxes, item.payload.mailbox))?.value;
  await untilSettled(async () => {
    if (mailbox && (await removeSlice(jar, mailbox))) return 'more';
    return trySettle(jar.store, item, (tx) => nextTime(tx, jar, item.payload.mailbox, mailbox));
  });
});

const recoverable = ({ wellKnown }: Mailbox): Filter => eq('folder', wellKnown.recoverableitemsdeletions);

/** Returns true if there may be more to remove. */
async function removeSlice(jar: MailJar, mailbox: Mailbox): Promise<boolean> {
  const now = jar.clock.now();
  const removed = await changeMailbox(jar, mailbox, async (writer) => {
    const { recoverableItemsLifetime } = await jar.settings.within(writer.tx);
    const filter = allOf(recoverable(mailbox), atMost('modifiedAt', now - recoverableItemsLifetime));
    const { items } = await writer.tx.query(messages, { filter, limit: FEW });
    for (const { value } of items) await removeMessage(writer, value);
    return items.length;
  });
  const old = { prefix: `${mailbox.id}/`, filter: atMost('at', now - RECEIVED_KEPT_MS) };
  const forgotten = await jar.store.transact((tx) => deleteSome(tx, receivedMails, old));
  return removed === FEW || forgotten === SLICE;
}

async function nextTime(tx: Tx, jar: MailJar, id: string, mailbox: Mailbox | undefined): Promise<number | undefined> {
  if (!mailbox) return undefined;
  const { recoverableItemsLifetime } = await jar.settings.within(tx);
  const [message] = (
    await tx.query(messages, { filter: recoverable(mailbox), order: [{ field: 'modifiedAt' }], limit: 1 })
  ).items;
  const [mail] = (await tx.query(receivedMails, { prefix: `${id}/`, order: [{ field: 'at' }], limit: 1 })).items;
  const times = [
    ...(message ? [message.value.modifiedAt + recoverableItemsLifetime] : []),
    ...(mail ? [mail.value.at + RECEIVED_KEPT_MS] : []),
  ];
  return times.length === 0 ? undefined : Math.min(...times);
}
