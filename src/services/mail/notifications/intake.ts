import { uuid } from '../../../kernel/ids/index.ts';
import { ODataError } from '../../../kernel/odata/index.ts';
import { eq, readAll } from '../../../kernel/store/index.ts';
import { HOUR_MS, MINUTE_MS } from '../../../kernel/time/index.ts';
import { endpoints, subscriptions } from '../collections.ts';
import type { MailboxChange } from '../mailbox/change.ts';
import { changeKeyOf, etagOf, mailboxMark, writeId } from '../mailbox/ids.ts';
import type { Mailbox } from '../mailbox/types.ts';
import { coalesced, type SeenChange } from './coalesce.ts';
import { endpointKey, stateOf } from './endpoints.ts';
import { ITEMS, type ItemKind } from './items.ts';
import { queueLifecycleNotification } from './lifecycle.ts';
import { NOTIFICATION } from './names.ts';
import { secretsOf } from './secrets.ts';
import { deleteSubscription, type SubscriptionWriter } from './stored.ts';
import type { ChangeType, EndpointState, QueuedNotification, Subscription } from './types.ts';
import { viewerOf } from './viewer.ts';

/** A mailbox with changes that are about to commit. */
export interface ChangedMailbox extends SubscriptionWriter {
  readonly mailbox: Mailbox;
  readonly changes: readonly MailboxChange[];
}

/** How long notifications are retried, and how long they wait for a subscription to be reauthorized. */
export const RETRIED_FOR_MS = 4 * HOUR_MS;
/** Delay of new notifications for a slow receiver. */
const DELAY_MS = 10 * MINUTE_MS;

/** Queues the notifications of subscribers in the transaction of the changes. */
export async function notifyChanges(changed: ChangedMailbox): Promise<void> {
  const { tx, mailbox, now, changes } = changed;
  const gone = new Set(
    changes.flatMap(({ item, change, uid }) => (item === 'folder' && change === 'deleted' ? uid : [])),
  );
  for (const { value } of await readAll(tx, subscriptions, { filter: eq('mailbox', mailbox.id) })) {
    if (value.expiresAt <= now) continue;
    if (value.item === 'message') await notify(changed, value, ITEMS.message, ofItem(changes, 'message'));
    else await notify(changed, value, ITEMS.event, ofItem(changes, 'event'));
    if (value.folder !== undefined && gone.has(value.folder)) await withdraw(changed, value);
  }
}

const ofItem = <I extends 'message' | 'event'>(changes: readonly MailboxChange[], item: I) =>
  changes.filter((change): change is Extract<MailboxChange, { item: I }> => change.item === item);

/** Removes a subscription whose folder was deleted. */
async function withdraw(changed: ChangedMailbox, subscription: Subscription): Promise<void> {
  await deleteSubscription(changed, subscription);
  await queueLifecycleNotification(changed.tx, changed.jar, subscription, 'subscriptionRemoved');
}

interface ItemChange<T> extends Pick<MailboxChange, 'change' | 'uid' | 'generation' | 'container' | 'number'> {
  readonly document?: T;
  readonly before?: T;
}

async function notify<T>(
  changed: ChangedMailbox,
  subscription: Subscription,
  kind: ItemKind<T>,
  changes: readonly ItemChange<T>[],
): Promise<void> {
  if (changes.length === 0) return;
  const seen = seenChanges(changed, subscription, kind, changes);
  const wanted = coalesced(seen).filter(({ changeType }) => subscription.changeTypes.includes(changeType));
  if (wanted.length === 0) return;
  // The secrets may be sealed with the key of another jar. The client then has to create the subscription again, but the write to the
  // mailbox must not fail.
  const secrets = secretsOf(changed.jar.vault, subscription);
  if (!secrets) return;
  const url = secrets.notificationUrl;
  const state = await receiverState(changed, subscription, url, wanted.length);
  if (state?.is === 'drop') return reportDropped(changed, subscription, state.until);
  const dueAt = dueTime(changed, subscription, state);
  for (const each of wanted)
    await enqueue(
      changed,
      subscription,
      { url, dueAt, content: await contentOf(changed, subscription, kind, each) },
      each,
    );
}

/** Resource data; undefined if the subscription has none, or the item was deleted. */
async function contentOf<T>(
  { mailbox, now }: ChangedMailbox,
  subscription: Subscription,
  kind: ItemKind<T>,
  { changeType, source: { document } }: SeenChange<ItemChange<T>>,
): Promise<QueuedNotification['content'] | undefined> {
  const { select, expand, resourceData } = subscription;
  if (!resourceData || changeType === 'deleted' || !document || select === undefined) return undefined;
  return kind.view(viewerOf(subscription, mailbox), document, { select, ...(expand !== undefined && { expand }) }, now);
}

/** The changes as the subscriber sees them: limited to the folder and the filter, with ids in the subscription's form. */
function seenChanges<T>(
  { mailbox, now }: ChangedMailbox,
  subscription: Subscription,
  kind: ItemKind<T>,
  changes: readonly ItemChange<T>[],
): readonly SeenChange<ItemChange<T>>[] {
  const { filter, folder, immutableIds } = subscription;
  const matches = filter === undefined ? () => true : lenient(kind.readFilter(filter, now));
  const mark = mailboxMark(mailbox.id);
  return changes.flatMap((source) => {
    const { uid, generation, container, document, before = document } = source;
    // Recoverable (deleted) items are invisible to clients.
    if (container === mailbox.wellKnown.recoverableitemsdeletions) return [];
    if (folder !== undefined && folder !== container) return [];
    const was = source.change !== 'created' && (before === undefined || matches(before));
    const is = source.change !== 'deleted' && (document === undefined || matches(document));
    if (!was && !is) return [];
    const changeType: ChangeType = was && is ? 'updated' : is ? 'created' : 'deleted';
    const id = writeId({ form: immutableIds ? 'immutable' : 'regular', mailboxMark: mark, uid, generation });
    return [{ id, changeType, source }];
  });
}

/** A filter that cannot be evaluated does not match. It must not make a write to the mailbox fail. */
const lenient =
  <T>(matches: (document: T) => boolean) =>
  (document: T): boolean => {
    try {
      return matches(document);
    } catch (error) {
      if (error instanceof ODataError) return false;
      throw error;
    }
  };

/** The state of the receiver. Counts notifications that are dropped. */
async function receiverState(
  { tx, now }: ChangedMailbox,
  { tenantId }: Subscription,
  url: string,
  count: number,
): Promise<EndpointState | undefined> {
  const key = endpointKey(tenantId, url);
  const endpoint = (await tx.get(endpoints, key, 'none'))?.value;
  const state = endpoint && stateOf(endpoint, now);
  if (state?.is !== 'drop') return state;
  const current = (await tx.get(endpoints, key))?.value ?? endpoint;
  if (current) await tx.put(endpoints, key, { ...current, lost: current.lost + count });
  return state;
}

/**
 * Sends one `missed` lifecycle notification for all dropped notifications, at the end of the state, so that the client then finds all of
 * the changes.
 */
async function reportDropped({ tx, jar }: ChangedMailbox, { id }: Subscription, until: number): Promise<void> {
  const subscription = (await tx.get(subscriptions, id))?.value;
  if (!subscription?.hasLifecycle || subscription.lostUntil === until) return;
  await tx.put(subscriptions, id, { ...subscription, lostUntil: until });
  await queueLifecycleNotification(tx, jar, subscription, 'missed', until);
}

/** Undefined means at once. If the authorization has expired, notifications wait for reauthorization and are eventually lost. */
function dueTime(
  { now }: ChangedMailbox,
  { hasLifecycle, authorizedUntil }: Subscription,
  state: EndpointState | undefined,
): number | undefined {
  if (hasLifecycle && authorizedUntil <= now) return now + RETRIED_FOR_MS;
  return state && now + DELAY_MS;
}

interface Order {
  readonly url: string;
  readonly dueAt: number | undefined;
  readonly content: QueuedNotification['content'] | undefined;
}

async function enqueue(
  { tx, jar }: ChangedMailbox,
  subscription: Subscription,
  { url, dueAt, content }: Order,
  { id: itemId, changeType, source: { uid, number } }: SeenChange<ItemChange<unknown>>,
): Promise<void> {
  const { id, mailbox, item, tenantId, expiresAt } = subscription;
  const queued: QueuedNotification = {
    id: uuid(),
    subscription: { id, mailbox, item, tenantId, expiresAt },
    changeType,
    itemId,
    ...(changeType !== 'deleted' && { etag: etagOf(changeKeyOf(uid, number)) }),
    ...(content && { content }),
  };
  await jar.delivery.enqueue(tx, {
    policy: NOTIFICATION,
    // Per tenant, so that one tenant's failing receiver does not affect another tenant at the same address.
    destination: `${tenantId} ${url}`,
    owner: id,
    subject: `${changeType}: ${subscription.resource}`,
    url,
    body: JSON.stringify(queued),
    ...(dueAt !== undefined && { dueAt }),
  });
}
