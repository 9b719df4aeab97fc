import type { Tx } from '../../../kernel/store/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import { mailboxes, subscriptions } from '../collections.ts';
import type { MailJar } from '../jar.ts';
import { writingMailbox } from '../mailbox/writer.ts';
import { EXPIRE } from './names.ts';
import { deleteSubscription } from './stored.ts';
import type { Subscription } from './types.ts';

/** Removes a subscription with its queued notifications, in a transaction without other writes to the mailbox. */
export async function removeSubscription(tx: Tx, jar: MailJar, subscription: Subscription): Promise<void> {
  const mailbox = (await tx.get(mailboxes, subscription.mailbox))?.value;
  if (!mailbox) return;
  await writingMailbox(tx, jar, mailbox, (writer) => deleteSubscription(writer, subscription));
}

/** Removes an expired subscription. The subscriber is not notified. */
export const expireSubscription = workHandler(EXPIRE, async (item, jar: MailJar) => {
  await jar.store.transact(async (tx) => {
    // Read without a lock: the lock of the mailbox comes first, as in every transaction that writes to it.
    const stored = await tx.get(subscriptions, item.payload.id, 'none');
    await tx.complete(item);
    if (stored && stored.value.expiresAt <= jar.clock.now()) await removeSubscription(tx, jar, stored.value);
  });
});
