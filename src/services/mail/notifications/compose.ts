import type { DueDelivery, Message } from '../../../kernel/delivery/index.ts';
import { subscriptions } from '../collections.ts';
import type { MailJar } from '../jar.ts';
import { encryptedContent } from './encrypt.ts';
import { ITEMS } from './items.ts';
import type { QueuedLifecycleEvent } from './lifecycle.ts';
import { secretsOf } from './secrets.ts';
import type { QueuedNotification, Subscription } from './types.ts';
import { type TokenFor, validationTokens } from './validation-tokens.ts';
import { shownExpiry } from './view.ts';

const HEADERS = { 'content-type': 'application/json; charset=utf-8', accept: 'application/json' };

/** Combines notifications for one address into one message, with the current client state and expiry of their subscriptions. */
export async function composeNotifications(batch: readonly DueDelivery[], jar: MailJar): Promise<Message> {
  const value: object[] = [];
  const tokens: TokenFor[] = [];
  for (const { owner = '', body } of batch) {
    const subscription = (await jar.store.get(subscriptions, owner))?.value;
    value.push(shown(jar, subscription, JSON.parse(body) as QueuedNotification));
    if (subscription?.resourceData) tokens.push(subscription);
  }
  return message(batch, value, await validationTokens(jar, tokens));
}

/** The subscription is missing if the notification was already being sent when it ended, or if a fault rule lets it be delivered anyway. */
function shown({ vault }: MailJar, subscription: Subscription | undefined, queued: QueuedNotification): object {
  const { id, mailbox, item, tenantId, expiresAt } = subscription ?? queued.subscription;
  const resourceData = subscription?.resourceData;
  const secrets = subscription && secretsOf(vault, subscription);
  const { collection, type } = ITEMS[item];
  const { content, itemId, etag } = queued;
  const resource = `Users/${mailbox}/${collection}/${itemId}`;
  const odataType = resourceData ? `#microsoft.graph.${item}` : `#Microsoft.Graph.${type}`;
  const annotations = {
    '@odata.type': odataType,
    '@odata.id': resource,
    ...(etag !== undefined && { '@odata.etag': etag }),
  };
  return {
    id: queued.id,
    subscriptionId: id,
    subscriptionExpirationDateTime: shownExpiry(expiresAt),
    changeType: queued.changeType,
    resource,
    resourceData: { ...annotations, id: itemId },
    clientState: secrets?.clientState ?? null,
    tenantId,
    ...(content &&
      resourceData && { encryptedContent: encryptedContent({ ...annotations, ...content }, resourceData) }),
  };
}

export async function composeLifecycle(batch: readonly DueDelivery[], jar: MailJar): Promise<Message> {
  const queued = batch.map(({ body }) => JSON.parse(body) as QueuedLifecycleEvent);
  const value = queued.map(({ lifecycleEvent, subscription: { id, tenantId, expiresAt }, clientState }) => ({
    subscriptionId: id,
    subscriptionExpirationDateTime: shownExpiry(expiresAt),
    tenantId,
    clientState: clientState === undefined ? null : jar.vault.open(clientState),
    lifecycleEvent,
  }));
  const tokens = queued.flatMap(({ subscription }) => (subscription.hasResourceData ? [subscription] : []));
  return message(batch, value, await validationTokens(jar, tokens));
}

const message = (batch: readonly DueDelivery[], value: readonly object[], tokens: readonly string[]): Message => ({
  url: batch[0]?.url ?? '',
  headers: HEADERS,
  body: JSON.stringify({ value, ...(tokens.length > 0 && { validationTokens: tokens }) }),
});
