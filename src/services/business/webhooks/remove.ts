import type { Jar } from '../../../kernel/service/index.ts';
import type { Stored, Tx } from '../../../kernel/store/index.ts';
import { forgetNotifications } from '../notify/forget.ts';
import { type Removal, type RemovalReason, removals, type Subscription, subscriptions } from './collection.ts';
import { freeSubscription } from './quota.ts';
import { expiryItem } from './work.ts';

export interface RemovalCause {
  readonly reason: RemovalReason;
  /** Explanation of the removal. */
  readonly detail: string;
  /** By the jar's clock. */
  readonly at: number;
  /** Object id of the user who deleted it. */
  readonly by?: string;
}

/** Number of removal records kept; the oldest are dropped. */
const MOST_REMOVALS = 1000;

const DIGITS = 15;

/**
 * Every removal of a subscription, for whatever reason, uses this function. Deletes everything that belongs to it and records when and why.
 */
export async function removeSubscription(
  tx: Tx,
  jar: Pick<Jar, 'limits' | 'delivery'>,
  stored: Stored<Subscription>,
  { reason, detail, at, by }: RemovalCause,
): Promise<void> {
  const { key, value } = stored;
  await tx.delete(subscriptions, key);
  await tx.cancel(expiryItem(key));
  await forgetNotifications(tx, jar, stored);
  await freeSubscription(tx, jar, value.tenantId);
  const { secrets: _secrets, address: _address, modifiedBy: _modifiedBy, ...kept } = value;
  const removal: Removal = { ...kept, removedAt: at, reason, detail, ...(by !== undefined && { by }) };
  await tx.put(removals, `${String(at).padStart(DIGITS, '0')} ${key}`, removal);
  await dropOldest(tx);
  const { subscriptionId, tenantId, resource } = value;
  await tx.change({
    source: 'business',
    kind: 'subscription-removed',
    subject: `subscriptions('${subscriptionId}')`,
    outcome: 'Succeeded',
    at,
    data: { subscriptionId, tenantId, resource, reason, detail },
  });
}

async function dropOldest(tx: Tx): Promise<void> {
  const surplus = (await tx.count(removals)) - MOST_REMOVALS;
  if (surplus <= 0) return;
  const { items } = await tx.query(removals, { limit: surplus });
  for (const { key } of items) await tx.delete(removals, key);
}
