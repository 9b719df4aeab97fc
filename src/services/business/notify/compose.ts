import type { DueDelivery, Message } from '../../../kernel/delivery/index.ts';
import type { BusinessJar } from '../jar.ts';
import { subscriptionKey, subscriptions } from '../webhooks/collection.ts';
import { UNREADABLE } from '../webhooks/secrets.ts';
import { type QueuedEntry, sendings } from './collections.ts';
import { entriesIn } from './queued-body.ts';

const HEADERS = { 'content-type': 'application/json', accept: 'application/json' };

/**
 * The message with the current client state and expiry of its subscriptions, without the entries of subscriptions that have ended or moved
 * to another address. If no entry remains, the delivery was already being sent or a fault rule forces it: then it is sent as it was queued.
 */
export async function composeNotification([delivery]: readonly DueDelivery[], jar: BusinessJar): Promise<Message> {
  const { id, url, owner = '', body } = delivery as DueDelivery;
  const entries = entriesIn(body);
  const sending = (await jar.store.get(sendings, `${owner}/${id}`))?.value;
  const ids =
    sending?.subscriptions.filter((id) => !sending.gone?.includes(id)) ??
    new Set(entries.map(({ subscriptionId }) => subscriptionId));
  const told = await subscribersOf(jar, owner, url, ids);
  const value = entries.flatMap((entry) => {
    const subscriber = told.get(entry.subscriptionId);
    return subscriber ? [entryFor(entry, subscriber)] : [];
  });
  return {
    url,
    headers: HEADERS,
    body: JSON.stringify({ value: value.length > 0 ? value : entries.map(({ run: _run, ...entry }) => entry) }),
  };
}

interface Subscriber {
  readonly clientState: string;
  readonly expirationDateTime: string;
}

/**
 * Throws if subscriptions exist but none can be notified: they have expired and their removal is due, or they must be renewed under this
 * jar's key.
 */
async function subscribersOf(
  jar: BusinessJar,
  tenantId: string,
  url: string,
  ids: Iterable<string>,
): Promise<Map<string, Subscriber>> {
  const told = new Map<string, Subscriber>();
  let why: string | undefined;
  for (const id of ids) {
    const stored = await jar.store.get(subscriptions, subscriptionKey(tenantId, id));
    if (!stored) continue;
    const secrets = jar.secrets.readable(stored.value);
    if (secrets && secrets.notificationUrl !== url) continue;
    const { expiresAt } = stored.value;
    if (!secrets) why = `the subscription ${id} ${UNREADABLE}`;
    else if (expiresAt <= jar.clock.now()) why = `the subscription ${id} has expired`;
    else told.set(id, { clientState: secrets.clientState, expirationDateTime: new Date(expiresAt).toISOString() });
  }
  if (told.size === 0 && why !== undefined) throw new Error(why);
  return told;
}

/** Members in the order of the real service. */
const entryFor = (entry: QueuedEntry, { clientState, expirationDateTime }: Subscriber) => ({
  subscriptionId: entry.subscriptionId,
  clientState,
  expirationDateTime,
  resource: entry.resource,
  changeType: entry.changeType,
  lastModifiedDateTime: entry.lastModifiedDateTime,
});
