import type { Jar } from '../../../kernel/service/index.ts';
import { pagesOf, readAll, type Stored, type Tx } from '../../../kernel/store/index.ts';
import type { Subscription } from '../webhooks/collection.ts';
import { outboxes, pendingEntries, type Sending, sendings } from './collections.ts';
import { dropSending, lockAddress } from './send.ts';
import { amendEnds } from './window-ends.ts';

/** Deletes everything that is pending for a subscription that ends. */
export async function forgetNotifications(
  tx: Tx,
  jar: Pick<Jar, 'delivery'>,
  { key, value }: Pick<Stored<Subscription>, 'key' | 'value'>,
): Promise<void> {
  await forgetPending(tx, key);
  await removeFromSendings(tx, jar, value.tenantId, new Set([value.subscriptionId]));
}

async function forgetPending(tx: Tx, key: string): Promise<void> {
  const outbox = await tx.get(outboxes, key, 'none');
  if (!outbox) return;
  await lockAddress(tx, outbox.value.window);
  for await (const page of pagesOf(tx, pendingEntries, { prefix: `${key}/` })) {
    for (const entry of page) await tx.delete(pendingEntries, entry.key);
  }
  await tx.delete(outboxes, key);
}

/** Removes the entries of these subscriptions from queued notifications; cancels notifications without other entries. */
export async function removeFromSendings(
  tx: Tx,
  jar: Pick<Jar, 'delivery'>,
  tenantId: string,
  gone: ReadonlySet<string>,
): Promise<void> {
  for (const { key } of await sendingsFor(tx, tenantId, gone)) await removeFromSending(tx, jar, key, gone);
}

export async function removeFromSending(
  tx: Tx,
  jar: Pick<Jar, 'delivery'>,
  key: string,
  gone: ReadonlySet<string>,
): Promise<void> {
  const sending = await lockedSending(tx, key);
  if (!sending) return;
  const { value } = sending;
  const others = value.subscriptions.filter((id) => !gone.has(id));
  const left = value.subscriptions.filter((id) => gone.has(id));
  for (const window of windowsOf(value)) {
    await amendEnds(tx, window, left, (end) => ({ ...end, isTakenBack: true }));
  }
  if (others.length > 0) {
    await tx.put(sendings, key, { ...value, subscriptions: others, ...(value.place && without(value, gone)) });
    return;
  }
  await dropSending(tx, sending);
  await jar.delivery.cancel(tx, { id: value.delivery }, 'its subscriptions were removed');
}

/** The stored message is corrected by the next run. */
function without({ joining = [], gone = [] }: Sending, left: ReadonlySet<string>): Partial<Sending> {
  const kept = joining.map(({ window, entries }) => ({
    window,
    entries: entries.filter(({ subscriptionId }) => !left.has(subscriptionId)),
  }));
  return { joining: kept.filter(({ entries }) => entries.length > 0), gone: [...new Set([...gone, ...left])] };
}

/** Read after its address has been locked. */
export async function lockedSending(tx: Tx, key: string): Promise<Stored<Sending> | undefined> {
  const place = (await tx.get(sendings, key, 'none'))?.value.place;
  if (place) await lockAddress(tx, place.address);
  return tx.get(sendings, key);
}

/** All windows of a notification, including those that join it with the next run. */
export const windowsOf = ({ window, windows = [window], joining = [] }: Sending): readonly string[] => [
  ...new Set([...windows, ...joining.map((each) => each.window)]),
];

/** Notifications on their way to any of these subscriptions, in order. */
export async function sendingsFor(tx: Tx, tenantId: string, ids: ReadonlySet<string>): Promise<Stored<Sending>[]> {
  const all = await readAll(tx, sendings, { prefix: `${tenantId}/` });
  return all.filter(({ value }) => value.subscriptions.some((id) => ids.has(id)));
}
