import { deliveries, deliveryBodies } from '../../../kernel/delivery/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import type { BusinessJar } from '../jar.ts';
import { type Subscription, type SubscriptionTarget, subscriptionKey } from '../webhooks/collection.ts';
import { forgetNotifications, leaveSending, sendingsFor } from './forget.ts';
import { type QueuedEntry, sendNotification } from './send.ts';
import { amendEnds } from './window-ends.ts';

/**
 * A subscription has another address from now on: what is on its way to the former one, and may never arrive there, goes to the new one. Where
 * it watches something else from now on, what it has not been told of the former is of no use to it.
 */
export async function followAddress(
  tx: Tx,
  jar: Pick<BusinessJar, 'delivery' | 'clock' | 'settings' | 'secrets'>,
  before: Subscription,
  after: Subscription,
): Promise<void> {
  const { tenantId, subscriptionId } = after;
  if (!isSameTarget(before.target, after.target)) {
    const key = subscriptionKey(tenantId, subscriptionId);
    return forgetNotifications(tx, jar, { key, value: before });
  }
  if (before.address === after.address) return;
  const own = new Set([subscriptionId]);
  const late = await sendingsFor(tx, tenantId, own);
  if (late.length === 0) return;
  const settings = await jar.settings.within(tx);
  const { notificationUrl: url } = jar.secrets.of(after);
  const followed = new Map<string, string>();
  for (const { value } of late) {
    const record = await tx.get(deliveries, value.delivery, 'none');
    const body = record?.value.body ?? (await tx.get(deliveryBodies, value.delivery, 'none'))?.value.body;
    if (record?.value.state !== 'queued' || body === undefined) continue;
    const { value: all } = JSON.parse(body) as { value: readonly QueuedEntry[] };
    const entries = all.filter((entry) => entry.subscriptionId === subscriptionId);
    if (entries.length === 0) continue;
    const { window } = value;
    const subject = after.target.companyName;
    const delivery = await sendNotification(tx, jar, settings, { tenantId, window, url, subject, entries });
    followed.set(value.delivery, delivery);
  }
  for (const sending of late) {
    await leaveSending(tx, jar, sending, own);
    const delivery = followed.get(sending.value.delivery);
    if (delivery === undefined) continue;
    const { window } = sending.value;
    await amendEnds(tx, window, own, ({ isTakenBack: _isTakenBack, ...end }) => ({ ...end, delivery }));
  }
}

export const isSameTarget = (one: SubscriptionTarget, other: SubscriptionTarget): boolean =>
  one.route === other.route && one.set === other.set && one.companyKey === other.companyKey;
