import type { Jar } from '../../../kernel/jar-context.ts';
import type { Page, Position, Stored, Tx } from '../../../kernel/store/types.ts';
import type { Subscription } from '../webhooks/collection.ts';
import { outboxes, type PendingEntry, pendingEntries, type Sending, sendings } from './collections.ts';

const PAGE = 500;

/** A subscription that ends takes everything with it that it was still to be told. */
export async function forgetNotifications(
  tx: Tx,
  jar: Pick<Jar, 'delivery'>,
  { key, value }: Pick<Stored<Subscription>, 'key' | 'value'>,
): Promise<void> {
  await forgetPending(tx, key);
  const { tenantId, subscriptionId } = value;
  await leaveSendings(tx, jar, await sendingsFor(tx, tenantId, subscriptionId), subscriptionId);
}

async function forgetPending(tx: Tx, key: string): Promise<void> {
  const outbox = await tx.get(outboxes, key, 'none');
  if (!outbox) return;
  await tx.lock(`business.window/${outbox.value.window}`);
  for (let after: Position | undefined; ; ) {
    const page: Page<PendingEntry> = await tx.query(pendingEntries, {
      prefix: `${key}/`,
      limit: PAGE,
      ...(after && { after }),
    });
    for (const entry of page.items) await tx.delete(pendingEntries, entry.key);
    if (!page.next) break;
    after = page.next;
  }
  await tx.delete(outboxes, key);
}

/** Its entries are left out of notifications that are on their way; one that has no others is taken back. */
export async function leaveSendings(
  tx: Tx,
  jar: Pick<Jar, 'delivery'>,
  left: readonly Stored<Sending>[],
  subscriptionId: string,
): Promise<void> {
  for (const { key, value } of left) {
    const others = value.subscriptions.filter((id) => id !== subscriptionId);
    if (others.length > 0) {
      await tx.put(sendings, key, { ...value, subscriptions: others });
      continue;
    }
    await tx.delete(sendings, key);
    await jar.delivery.cancel(tx, { id: value.delivery }, 'the subscriptions that it was for are gone');
  }
}

/** The notifications that are on their way to a subscription, in their order. */
export async function sendingsFor(tx: Tx, tenantId: string, subscriptionId: string): Promise<Stored<Sending>[]> {
  const found: Stored<Sending>[] = [];
  for (let after: Position | undefined; ; ) {
    const page: Page<Sending> = await tx.query(sendings, {
      prefix: `${tenantId}/`,
      limit: PAGE,
      ...(after && { after }),
    });
    found.push(...page.items.filter(({ value }) => value.subscriptions.includes(subscriptionId)));
    if (!page.next) return found;
    after = page.next;
  }
}
