import type { Stored, Tx } from '../../../kernel/store/index.ts';
import type { BusinessJar } from '../jar.ts';
import { type Subscription, subscriptionKey, subscriptions } from './collection.ts';
import { EXPIRE, expiryItem } from './work.ts';

export type UndatedSubscription = Omit<Subscription, 'modifiedAt' | 'expiresAt'>;

/** Writes a new or changed subscription; its lifetime begins now, after the successful handshake. */
export async function putSubscription(
  tx: Tx,
  jar: Pick<BusinessJar, 'settings' | 'clock'>,
  undated: UndatedSubscription,
  kind: 'subscription-created' | 'subscription-renewed',
): Promise<Stored<Subscription>> {
  const { apiSubscriptionExpiration: lifeMs } = await jar.settings.within(tx);
  const at = jar.clock.now();
  const expiresAt = at + lifeMs;
  const { tenantId, subscriptionId, resource } = undated;
  const key = subscriptionKey(tenantId, subscriptionId);
  const stored = await tx.put(subscriptions, key, { ...undated, modifiedAt: at, expiresAt });
  await tx.schedule(EXPIRE.at(expiresAt, { key }, expiryItem(key)));
  await tx.change({
    source: 'business',
    kind,
    subject: `subscriptions('${subscriptionId}')`,
    outcome: 'Succeeded',
    at,
    data: { subscriptionId, tenantId, resource, expiresAt: new Date(expiresAt).toISOString() },
  });
  return stored;
}
