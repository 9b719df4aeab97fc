import { deliveries, deliveryBodies } from '../../../kernel/delivery/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import type { BusinessJar } from '../jar.ts';
import { type Subscription, type SubscriptionTarget, subscriptionKey } from '../webhooks/collection.ts';
import type { Joining, QueuedEntry, Sending } from './collections.ts';
import { forgetNotifications, removeFromSending, sendingsFor, windowsOf } from './forget.ts';
import { entriesIn } from './queued-body.ts';
import { lockAddress, notifyAddress } from './send.ts';
import { amendEnds } from './window-ends.ts';

/**
 * Handles a changed subscription. If its address has changed, notifications on their way to the former address go to the new one. If it now
 * watches another resource, its pending notifications are dropped.
 */
export async function followAddress(
  tx: Tx,
  jar: Pick<BusinessJar, 'delivery' | 'clock' | 'settings' | 'secrets'>,
  before: Subscription,
  after: Subscription,
): Promise<void> {
  const { tenantId, subscriptionId, target } = after;
  if (!isSameTarget(before.target, target)) {
    const key = subscriptionKey(tenantId, subscriptionId);
    return forgetNotifications(tx, jar, { key, value: before });
  }
  if (before.address === after.address) return;
  const own = new Set([subscriptionId]);
  const late = await sendingsFor(tx, tenantId, own);
  if (late.length === 0) return;
  const settings = await jar.settings.within(tx);
  const { notificationUrl: url } = jar.secrets.of(after);
  const place = { address: after.address, companyId: target.companyId };
  const subject = target.companyName;
  for (const { key, value } of late) {
    const windows = await lateEntries(tx, value, subscriptionId);
    await removeFromSending(tx, jar, key, own);
    if (windows.length === 0) continue;
    await lockAddress(tx, after.address);
    const queued = await notifyAddress(tx, jar, settings, { tenantId, place, url, subject, windows });
    for (const window of windowsOf(value))
      await amendEnds(tx, window, own, ({ isTakenBack: _isTakenBack, ...end }) => ({ ...end, ...queued }));
  }
}

/** Entries of a queued notification that the subscription has not received yet. */
async function lateEntries(tx: Tx, sending: Sending, subscriptionId: string): Promise<Joining[]> {
  const { delivery, window, gone = [], joining = [] } = sending;
  const record = await tx.get(deliveries, delivery, 'none');
  if (record?.value.state !== 'queued') return [];
  const body = record.value.body ?? (await tx.get(deliveryBodies, delivery, 'none'))?.value.body;
  const stored = body === undefined || gone.includes(subscriptionId) ? [] : entriesIn(body);
  const all: readonly Joining[] = [{ window, entries: stored }, ...joining];
  return all
    .map((each) => ({ window: each.window, entries: each.entries.filter(isOf(subscriptionId)).map(withoutRun) }))
    .filter(({ entries }) => entries.length > 0);
}

const isOf =
  (id: string) =>
  ({ subscriptionId }: QueuedEntry): boolean =>
    subscriptionId === id;

/** Without a run number: the attempts start again at the new address. */
const withoutRun = ({ run: _run, ...entry }: QueuedEntry): QueuedEntry => entry;

export const isSameTarget = (one: SubscriptionTarget, other: SubscriptionTarget): boolean =>
  one.route === other.route && one.set === other.set && one.companyKey === other.companyKey;
