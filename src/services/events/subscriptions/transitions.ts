import { endOperation, recordOutcome } from '../../../kernel/arm/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import {
  type EventSubscription,
  eventSubscriptions,
  type Pending,
  scopeKeyOf,
  subscriptionKey,
} from '../collections.ts';
import type { Destination } from '../definition.ts';
import { policyFor } from '../delivering/policy-names.ts';
import { readTime } from '../forms/times.ts';
import { HANDSHAKE } from '../handshake/policy-names.ts';
import type { EventsJar } from '../jar.ts';
import { touchScope } from '../matching/scope-indexes.ts';
import { deadlineItem, EXPIRE, expiryItem, settleItem } from './work-items.ts';

/** State transitions of a subscription. Each is one transaction. */

/** Reads a subscription and locks its key until the transaction ends, even if it does not exist yet. */
export async function lockSubscription(tx: Tx, key: string): Promise<EventSubscription | undefined> {
  const stored = await tx.get(eventSubscriptions, key);
  if (stored) return stored.value;
  await tx.lock(`${eventSubscriptions.name}:${key}`);
  return (await tx.get(eventSubscriptions, key))?.value;
}

/** A subscription with a definition that is not in force yet. */
export type Waiting = EventSubscription & { readonly pending: Pending };

/** The subscription, if the definition of this operation is still pending; otherwise undefined. */
export async function waitingFor(tx: Tx, key: string, operation: string): Promise<Waiting | undefined> {
  const subscription = (await tx.get(eventSubscriptions, key))?.value;
  const pending = subscription?.pending;
  return subscription && pending?.operation === operation ? { ...subscription, pending } : undefined;
}

export async function writeSubscription(tx: Tx, subscription: EventSubscription, by: 0 | 1): Promise<void> {
  await tx.put(eventSubscriptions, subscriptionKey(subscription), subscription);
  await touchScope(tx, scopeKeyOf(subscription), by);
}

/** Puts the pending definition into force. */
export async function succeed(tx: Tx, jar: EventsJar, waiting: Waiting, allowedRate?: number): Promise<void> {
  const { pending, failed: _failed, allowedRate: before, ...kept } = waiting;
  const now = jar.clock.now();
  const rate = allowedRate ?? (pending.validation ? undefined : before);
  const subscription: EventSubscription = {
    ...kept,
    provisioningState: 'Succeeded',
    live: pending.definition,
    liveSince: kept.liveSince ?? now,
    ...(rate !== undefined && { allowedRate: rate }),
    changedAt: now,
  };
  await endWaiting(tx, jar, waiting);
  await writeSubscription(tx, subscription, 0);
  await redirect(tx, jar, waiting, subscriptionKey(subscription));
  await scheduleExpiry(tx, subscription);
  await endOperation(tx, pending.operation, { status: 'Succeeded' }, now);
  await recordOutcome(tx, pending.origin, now, 'Succeeded');
}

/** Adapts queued events and the circuit breaker when the destination has changed. */
async function redirect(tx: Tx, jar: EventsJar, { live: before, pending }: Waiting, key: string): Promise<void> {
  const after = pending.definition.destination;
  if (!before?.destination || !after) return;
  const policy = policyFor(before.destination);
  const destination = key;
  if (policy !== policyFor(after)) {
    // `eventsEnded` queues the cancelled deliveries again under the new policy.
    await jar.delivery.cancel(tx, { policy, destination }, 'it goes to the new destination of its subscription');
  }
  // Failures of the former endpoint must not delay deliveries to the new one.
  const isElsewhere = pending.validation !== undefined || placeIn(before.destination) !== placeIn(after);
  if (isElsewhere) await jar.delivery.forgive(tx, { policy, destination });
}

const placeIn = ({ endpointType, properties: { endpointBaseUrl, resourceId, queueName } }: Destination): string =>
  JSON.stringify([endpointType, endpointBaseUrl, resourceId, queueName]).toLowerCase();

/** The endpoint neither agreed nor refused: a call of the validation address can still confirm it. */
export async function awaitManualAction(tx: Tx, jar: EventsJar, waiting: Waiting): Promise<void> {
  const changedAt = jar.clock.now();
  await writeSubscription(tx, { ...waiting, provisioningState: 'AwaitingManualAction', changedAt }, 0);
}

const URL_VALIDATION = 'Url validation';

/** The endpoint refused. A live definition stays in force; a failed creation is kept for inspection. */
export async function fail(tx: Tx, jar: EventsJar, waiting: Waiting, message: string): Promise<void> {
  const { pending, ...kept } = waiting;
  const now = jar.clock.now();
  const error = { code: URL_VALIDATION, message };
  const subscription: EventSubscription = kept.live
    ? { ...kept, provisioningState: 'Succeeded', changedAt: now }
    : { ...kept, provisioningState: 'Failed', failed: pending.definition, changedAt: now };
  await endWaiting(tx, jar, waiting);
  await writeSubscription(tx, subscription, 0);
  if (!kept.live) await scheduleExpiry(tx, subscription);
  await endOperation(tx, pending.operation, { status: 'Failed', error }, now);
  await recordOutcome(tx, pending.origin, now, 'Failed', error);
}

/** Cancels the pending definition, because it is replaced or withdrawn. The caller writes the subscription. */
export async function cancelPending(tx: Tx, jar: EventsJar, waiting: Waiting, why: string): Promise<void> {
  const { operation, origin } = waiting.pending;
  const now = jar.clock.now();
  const error = { code: 'Canceled', message: why };
  await endWaiting(tx, jar, waiting);
  await endOperation(tx, operation, { status: 'Canceled', error }, now);
  await recordOutcome(tx, origin, now, 'Canceled', error);
}

async function endWaiting(tx: Tx, jar: EventsJar, waiting: Waiting): Promise<void> {
  const { pending } = waiting;
  const key = subscriptionKey(waiting);
  await tx.cancel(settleItem(key));
  if (!pending.validation) return;
  await tx.cancel(deadlineItem(key));
  await jar.delivery.cancel(tx, { policy: HANDSHAKE, destination: key });
}

/** Expiration of the definition that is live or failed; undefined while a creation is pending. */
export const expirationOf = ({ live, pending, failed }: EventSubscription): string | undefined =>
  (live ?? (pending ? undefined : failed))?.expirationTimeUtc;

export async function scheduleExpiry(tx: Tx, subscription: EventSubscription): Promise<void> {
  const key = subscriptionKey(subscription);
  const at = expirationOf(subscription);
  if (at === undefined) await tx.cancel(expiryItem(key));
  else {
    const dueAt = readTime(at);
    await tx.schedule(EXPIRE.at(dueAt, { key }, expiryItem(key)));
  }
}
