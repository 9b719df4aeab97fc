import type { Tx } from '../../../kernel/store/index.ts';
import { handleWork } from '../../../kernel/work/index.ts';
import { mailboxes, subscriptions } from '../collections.ts';
import type { MailJar } from '../jar.ts';
import { writingMailbox } from '../mailbox/writer.ts';
import { EXPIRE } from './names.ts';
import { deleteSubscription } from './stored.ts';
import type { Subscription } from './types.ts';

/** Ends a subscription with all that is queued for it, in a transaction that writes nothing else to the mailbox. */
export async function removeSubscription(tx: Tx, jar: MailJar, subscription: Subscription): Promise<void> {
  const mailbox = (await tx.get(mailboxes, subscription.mailbox))?.value;
  if (!mailbox) return;
  await writingMailbox(tx, jar, mailbox, (writer) => deleteSubscription(writer, subscription));
}

/** Nobody has renewed it in time. An expired subscription is gone without a notification. */
export const expireSubscription = handleWork(EXPIRE, async (item, jar: MailJar) => {
  await jar.store.transact(async (tx) => {
    // The lock of the mailbox comes first, as in every transaction that writes to it.
    const stored = await tx.get(subscriptions, item.payload.id, 'none');
    await tx.complete(item);
    if (stored && stored.value.expiresAt <= jar.clock.now()) await removeSubscription(tx, jar, stored.value);
  });
});
