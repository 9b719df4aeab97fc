import type { Tx } from '../../../kernel/store/index.ts';
import { subscriptions } from '../collections.ts';
import type { MailJar } from '../jar.ts';
import { scheduleReminder } from './lifecycle.ts';
import { SUBSCRIPTIONS } from './limits.ts';
import { EXPIRE, expiryItem, reauthorizationItem } from './names.ts';
import type { Subscription } from './types.ts';

/** The writer of a mailbox: it holds the mailbox lock and counts the mailbox's subscriptions. */
export interface SubscriptionWriter {
  readonly tx: Tx;
  readonly jar: MailJar;
  readonly now: number;
  addSubscriptions(count: number): void;
}

const placeOf = ({ mailbox }: Subscription) => ({ limit: SUBSCRIPTIONS, scope: [mailbox] });

/** Creates a subscription. Returns `tooMany`, the maximum, if the quota is exhausted. */
export async function createSubscription(
  writer: SubscriptionWriter,
  subscription: Subscription,
): Promise<{ readonly tooMany?: number }> {
  const { tx, jar, now } = writer;
  const filter = { op: 'eq', field: 'mailbox', value: subscription.mailbox } as const;
  const actual = (): Promise<number> => tx.count(subscriptions, { filter });
  const { allowed, maximum } = await jar.limits.takeQuota(tx, { ...placeOf(subscription), actual });
  if (!allowed) return { tooMany: maximum };
  writer.addSubscriptions(1);
  await putSubscription(tx, subscription, now);
  return {};
}

/** Also schedules the work items for its expiry and for its reauthorization reminders. */
export async function putSubscription(tx: Tx, subscription: Subscription, now: number): Promise<void> {
  const { id, expiresAt } = subscription;
  await tx.put(subscriptions, id, subscription);
  await tx.schedule(EXPIRE.at(expiresAt, { id }, expiryItem(id)));
  await scheduleReminder(tx, subscription, now);
}

export async function deleteSubscription(writer: SubscriptionWriter, subscription: Subscription): Promise<void> {
  const { tx, jar } = writer;
  const { id } = subscription;
  if (!(await tx.delete(subscriptions, id))) return;
  writer.addSubscriptions(-1);
  await tx.cancel(expiryItem(id));
  await tx.cancel(reauthorizationItem(id));
  await jar.delivery.cancel(tx, { owner: id }, 'its subscription has ended');
  await jar.limits.freeQuota(tx, placeOf(subscription));
}
