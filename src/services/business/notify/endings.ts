import type { Attempt, DeliveryEnd, EndedDelivery } from '../../../kernel/delivery/index.ts';
import { readAll, type Stored, type Tx } from '../../../kernel/store/index.ts';
import type { BusinessJar } from '../jar.ts';
import { type Subscription, subscriptionKey, subscriptions } from '../webhooks/collection.ts';
import { removeSubscription } from '../webhooks/remove.ts';
import type { Sending } from './collections.ts';
import { lockedSending, removeFromSendings } from './forget.ts';
import { entriesIn } from './queued-body.ts';
import { dropSending, recordDelivery, sendNotification } from './send.ts';

/**
 * If a receiver refuses a notification, all subscriptions to its address are removed; if it cannot be reached within the retry window, only
 * the subscriptions of the notification are. Entries that arrived meanwhile for the remaining subscriptions become the next message.
 */
export async function notificationsEnded(
  tx: Tx,
  deliveries: readonly EndedDelivery[],
  end: DeliveryEnd,
  jar: BusinessJar,
): Promise<undefined> {
  for (const delivery of deliveries) {
    const { id, owner: tenantId = '', url } = delivery;
    const sending = await lockedSending(tx, `${tenantId}/${id}`);
    if (sending) await dropSending(tx, sending);
    const lost =
      end.cause === 'delivered' || end.cause === 'cancelled'
        ? []
        : end.cause === 'refused'
          ? await subscriptionsTo(tx, jar, tenantId, url)
          : await subscriptionsOf(tx, tenantId, sending ? notifiedBy(delivery, sending.value) : []);
    const reason = end.cause === 'refused' ? 'refused' : 'undeliverable';
    const detail = wordsFor(delivery, end);
    const lostIds = new Set(lost.map(({ value }) => value.subscriptionId));
    // All at once, because many entries may wait behind this notification.
    await removeFromSendings(tx, jar, tenantId, lostIds);
    for (const stored of lost) await removeSubscription(tx, jar, stored, { reason, detail, at: jar.clock.now() });
    if (sending) await sendNext(tx, jar, delivery, sending.value, lostIds);
  }
  return undefined;
}

/** Sends the entries that arrived during the last run. */
async function sendNext(
  tx: Tx,
  jar: BusinessJar,
  { owner: tenantId = '', url, subject = '' }: EndedDelivery,
  { place, joining = [] }: Sending,
  lost: ReadonlySet<string>,
): Promise<void> {
  const windows = joining
    .map(({ window, entries }) => ({ window, entries: entries.filter((each) => !lost.has(each.subscriptionId)) }))
    .filter(({ entries }) => entries.length > 0);
  if (!place || windows.length === 0) return;
  const settings = await jar.settings.within(tx);
  const delivery = await sendNotification(tx, jar, settings, { tenantId, place, url, subject, windows });
  if (delivery !== undefined) await recordDelivery(tx, windows, delivery);
}

/** Subscriptions of the message itself, without those whose entries would have joined next. */
function notifiedBy({ body }: EndedDelivery, { subscriptions: told, gone = [] }: Sending): readonly string[] {
  const sent = new Set(entriesIn(body).map(({ subscriptionId }) => subscriptionId));
  return told.filter((id) => sent.has(id) && !gone.includes(id));
}

function wordsFor({ id, history }: EndedDelivery, { cause, result }: DeliveryEnd): string {
  const last = result ?? history.at(-1);
  if (cause !== 'refused') return undeliverable(id, last);
  return `The receiver answered ${last?.status ?? last?.outcome} to the notification ${id}, which is not retried.`;
}

/** Detail of the removal of subscriptions whose receiver could not be reached. */
export function undeliverable(id: string, last: Pick<Attempt, 'status' | 'outcome'> | undefined): string {
  const answer = last?.status ?? last?.outcome;
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

/** Across all companies of the tenant. */
async function subscriptionsTo(
  tx: Tx,
  { secrets }: BusinessJar,
  tenantId: string,
  url: string,
): Promise<Stored<Subscription>[]> {
  const all = await readAll(tx, subscriptions, { prefix: `${tenantId}/` });
  return all.filter(({ value }) => secrets.readable(value)?.notificationUrl === url);
}
