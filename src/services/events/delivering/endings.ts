import type { DeliveryEnd, EndedDelivery } from '../../../kernel/delivery/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { eventSubscriptions } from '../collections.ts';
import type { Definition } from '../definition.ts';
import type { EventsJar } from '../jar.ts';
import { documentedOutcome } from './outcomes.ts';
import { addressOf, type EventPolicy, policyFor } from './policy-names.ts';
import { schemaOf } from './schemas.ts';

/** Why an event was dead-lettered, as recorded with it. */
export interface DeadLetterNote {
  readonly deadLetterReason: string;
  readonly deliveryAttempts: number;
  readonly lastDeliveryOutcome: string;
  readonly lastHttpStatusCode?: number;
  readonly publishTime: string;
  readonly lastDeliveryAttemptTime?: string;
}

/** An undeliverable event on its way to the subscription's dead-letter destination. */
export interface DeadLetter {
  /** In the schema in which it was to be delivered. */
  readonly event: string;
  readonly schema: string;
  readonly topic: string;
  readonly note: DeadLetterNote;
}

/** Name of a subscription in blob paths and headers. */
export const wireName = (name: string): string => name.toUpperCase();

/** Dead-letters undeliverable events in the transaction that ends their deliveries. */
export async function eventsEnded(
  tx: Tx,
  deliveries: readonly EndedDelivery[],
  end: DeliveryEnd,
  jar: EventsJar,
  policy: EventPolicy,
): Promise<'dead-lettered' | undefined> {
  if (end.cause === 'delivered') return undefined;
  const owner = deliveries[0]?.owner;
  const subscription = owner === undefined ? undefined : (await tx.get(eventSubscriptions, owner, 'none'))?.value;
  const live = subscription?.live;
  if (end.cause === 'cancelled') {
    for (const delivery of deliveries) {
      // Deliveries of a deleted subscription do not go to a newer one with the same name.
      const isItsOwn = live && subscription && subscription.createdAt <= delivery.enqueuedAt;
      if (isItsOwn) await requeue(tx, delivery, { ...subscription, live }, policy, jar);
    }
    return undefined;
  }
  if (!subscription || !live?.deadLetter) return undefined;
  const { resourceId, blobContainerName } = live.deadLetter.properties;
  for (const delivery of deliveries) {
    const letter: DeadLetter = {
      event: delivery.body,
      schema: schemaOf(delivery.body, live.eventDeliverySchema),
      topic: subscription.topic,
      note: noteOf(delivery, end),
    };
    await jar.delivery.enqueue(tx, {
      policy: 'events.dead-letter',
      // Groups events by blob container; the subscription may have had another container before.
      destination: `${delivery.destination} ${resourceId}/${blobContainerName}`,
      ...(delivery.subject !== undefined && { subject: delivery.subject }),
      url: `storage-blob:${resourceId}/${blobContainerName}`,
      headers: { resource: resourceId, container: blobContainerName, folder: wireName(subscription.name) },
      body: JSON.stringify(letter),
    });
  }
  return 'dead-lettered';
}

const MINUTE = 60_000;

/** Queues a cancelled delivery again if the destination now uses another delivery policy, or the subscription has a new id. */
async function requeue(
  tx: Tx,
  delivery: EndedDelivery,
  { live, movedTo }: { readonly live: Definition; readonly movedTo?: string },
  from: EventPolicy,
  jar: EventsJar,
) {
  const { destination, retryPolicy } = live;
  if (!destination || (movedTo === undefined && policyFor(destination) === from)) return;
  const { destination: queue, owner = queue, subject, body, enqueuedAt } = delivery;
  await jar.delivery.enqueue(tx, {
    policy: policyFor(destination),
    destination: movedTo ?? queue,
    owner: movedTo ?? owner,
    ...(subject !== undefined && { subject }),
    url: addressOf(destination),
    body,
    maxAttempts: retryPolicy.maxDeliveryAttempts,
    expiresAt: enqueuedAt + retryPolicy.eventTimeToLiveInMinutes * MINUTE,
  });
}

function noteOf(delivery: EndedDelivery, { cause, result }: DeliveryEnd): DeadLetterNote {
  const last = delivery.history.at(-1);
  const outcome = result?.outcome ?? last?.outcome;
  const status = result?.status ?? last?.status;
  return {
    deadLetterReason: reasonOf(cause, delivery.attempts, outcome),
    deliveryAttempts: delivery.attempts,
    lastDeliveryOutcome: outcome === undefined ? 'Probation' : documentedOutcome(outcome),
    ...(status !== undefined && { lastHttpStatusCode: status }),
    publishTime: new Date(delivery.enqueuedAt).toISOString(),
    ...(last && { lastDeliveryAttemptTime: new Date(last.at).toISOString() }),
  };
}

function reasonOf(cause: DeliveryEnd['cause'], attempts: number, outcome: string | undefined): string {
  if (cause === 'exhausted') return 'MaxDeliveryAttemptsExceeded';
  if (cause === 'refused') return `UndeliverableDueToHttp${documentedOutcome(outcome ?? 'BadRequest')}`;
  // No attempt before it expired: the endpoint was on probation all the time.
  return attempts === 0 ? 'UndeliverableDueToProbationCausedByClientError' : 'TimeToLiveExceeded';
}
