import type { Tx } from '../../../kernel/store/index.ts';
import { subscriptions } from '../collections.ts';
import type { MailJar } from '../jar.ts';
import { scheduleReminder } from './lifecycle.ts';
import { SUBSCRIPTIONS } from './limits.ts';
import { EXPIRE, expiryItem, reauthorizationItem } from './names.ts';
import type { Subscription } from './types.ts';

/** What the writer of a mailbox gives: its lock is held, and it keeps the count of the mailbox's subscriptions. */
export interface SubscriptionWriter {
  readonly tx: Tx;
  readonly jar: MailJar;
  readonly now: number;
  addSubscriptions(count: number): void;
}

const placeOf = ({ mailbox }: Subscription) => ({ limit: SUBSCRIPTIONS, scope: [mailbox] });

/** A new one; gives the maximum where there are too many. */
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

/** With the work that ends it and the work that reminds of its authorization. */
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
