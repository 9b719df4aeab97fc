import type { DueDelivery, Message } from '../../../kernel/delivery/index.ts';
import type { Jar } from '../../../kernel/jar-context.ts';
import { type Subscription, subscriptionKey, subscriptions } from '../webhooks/collection.ts';
import { secretsOf } from '../webhooks/secrets.ts';
import type { QueuedEntry } from './send.ts';

const HEADERS = { 'content-type': 'application/json', accept: 'application/json' };

/**
 * The message as it is due now: with the client state and the expiry that its subscriptions have by now, and without the entries of those that
 * have ended or moved to another address. Where all have, it was on its way already, or a fault rule wants it to arrive nevertheless: then
 * it is sent as it was queued.
 */
export async function composeNotification([delivery]: readonly DueDelivery[], jar: Jar): Promise<Message> {
  const { url, owner = '', body } = delivery as DueDelivery;
  const { value: entries } = JSON.parse(body) as { value: readonly QueuedEntry[] };
  const told = await subscribersOf(jar, owner, url, entries);
  const value = entries.flatMap((entry) => {
    const subscriber = told.get(entry.subscriptionId);
    return subscriber ? [entryFor(entry, subscriber)] : [];
  });
  return { url, headers: HEADERS, body: JSON.stringify({ value: value.length > 0 ? value : entries }) };
}

interface Subscriber {
  readonly clientState: string;
  readonly expirationDateTime: string;
}

async function subscribersOf(
  jar: Jar,
  tenantId: string,
  url: string,
  entries: readonly QueuedEntry[],
): Promise<Map<string, Subscriber>> {
  const told = new Map<string, Subscriber>();
  for (const id of new Set(entries.map(({ subscriptionId }) => subscriptionId))) {
    const stored = await jar.store.get(subscriptions, subscriptionKey(tenantId, id));
    const subscriber = stored && asSubscriber(jar, stored.value, url);
    if (subscriber) told.set(id, subscriber);
  }
  return told;
}

function asSubscriber({ vault, clock }: Jar, subscription: Subscription, url: string): Subscriber | undefined {
  const { notificationUrl, clientState } = secretsOf(vault, subscription);
  if (notificationUrl !== url || subscription.expiresAt <= clock.now()) return undefined;
  return { clientState, expirationDateTime: new Date(subscription.expiresAt).toISOString() };
}

/** In the order in which the real service has them. */
const entryFor = (entry: QueuedEntry, { clientState, expirationDateTime }: Subscriber) => ({
  subscriptionId: entry.subscriptionId,
  clientState,
  expirationDateTime,
  resource: entry.resource,
  changeType: entry.changeType,
  lastModifiedDateTime: entry.lastModifiedDateTime,
});
