import type { DeliveryEnd, EndedDelivery } from '../../../kernel/delivery/index.ts';
import { readAll, type Stored, type Tx } from '../../../kernel/store/index.ts';
import type { BusinessJar } from '../jar.ts';
import { type Subscription, subscriptionKey, subscriptions } from '../webhooks/collection.ts';
import { removeSubscription } from '../webhooks/remove.ts';
import { sendings } from './collections.ts';
import { leaveSendings } from './forget.ts';

/**
 * A receiver that refuses a notification loses every subscription to that address; one that could not be reached for too long loses those that
 * the notification was for.
 */
export async function notificationsEnded(
  tx: Tx,
  deliveries: readonly EndedDelivery[],
  end: DeliveryEnd,
  jar: BusinessJar,
): Promise<undefined> {
  for (const delivery of deliveries) {
    const { id, owner: tenantId = '', url } = delivery;
    const key = `${tenantId}/${id}`;
    const told = (await tx.get(sendings, key))?.value.subscriptions ?? [];
    await tx.delete(sendings, key);
    if (end.cause === 'delivered' || end.cause === 'cancelled') continue;
    const lost =
      end.cause === 'refused'
        ? await subscriptionsTo(tx, jar, tenantId, url)
        : await subscriptionsOf(tx, tenantId, told);
    const reason = end.cause === 'refused' ? 'refused' : 'undeliverable';
    const detail = wordsFor(delivery, end);
    // At once for all of them: what waits behind this one may be much.
    await leaveSendings(tx, jar, tenantId, new Set(lost.map(({ value }) => value.subscriptionId)));
    for (const stored of lost) await removeSubscription(tx, jar, stored, { reason, detail, at: jar.clock.now() });
  }
  return undefined;
}

function wordsFor({ id, history }: EndedDelivery, { cause, result }: DeliveryEnd): string {
  const last = result ?? history.at(-1);
  const answer = last?.status ?? last?.outcome;
  if (cause === 'refused') return `The receiver answered ${answer} to the notification ${id}, which is not retried.`;
  const attempts = answer === undefined ? 'without an attempt' : `the last attempt ended in ${answer}`;
  return `The notification ${id} could not be delivered in the time for retries; ${attempts}.`;
}

async function subscriptionsOf(tx: Tx, tenantId: string, ids: readonly string[]): Promise<Stored<Subscription>[]> {
  const found: Stored<Subscription>[] = [];
  for (const id of ids) {
    const stored = await tx.get(subscriptions, subscriptionKey(tenantId, id));
    if (stored) found.push(stored);
  }
  return found;
}

/** Of all companies of the tenant. */
async function subscriptionsTo(
  tx: Tx,
  { secrets }: BusinessJar,
  tenantId: string,
  url: string,
): Promise<Stored<Subscription>[]> {
  const all = await readAll(tx, subscriptions, { prefix: `${tenantId}/` });
  return all.filter(({ value }) => secrets.readable(value)?.notificationUrl === url);
}
