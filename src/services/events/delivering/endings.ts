import type { DeliveryEnd, EndedDelivery } from '../../../kernel/delivery/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { eventSubscriptions } from '../collections.ts';
import type { Definition } from '../definition.ts';
import type { EventsJar } from '../jar.ts';
import { spokenOutcome } from './outcomes.ts';
import { addressOf, type EventPolicy, policyFor } from './policy-names.ts';
import { schemaOf } from './schemas.ts';

/** What the record of an undeliverable event says of its end. */
export interface DeadLetterNote {
  readonly deadLetterReason: string;
  readonly deliveryAttempts: number;
  readonly lastDeliveryOutcome: string;
  readonly lastHttpStatusCode?: number;
  readonly publishTime: string;
  readonly lastDeliveryAttemptTime?: string;
}

/** An undeliverable event on its way to where its subscription keeps them. */
export interface DeadLetter {
  /** In the schema in which it was to be delivered. */
  readonly event: string;
  readonly schema: string;
  readonly topic: string;
  readonly note: DeadLetterNote;
}

/** The name of a subscription in paths and headers. */
export const spokenName = (name: string): string => name.toUpperCase();

/** Keeps what could not be delivered, in the transaction that gives it up. */
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
      // One that was made anew under the same name has nothing to do with what was for the former.
      const isItsOwn = live && subscription && subscription.createdAt <= delivery.enqueuedAt;
      if (isItsOwn) await takeAlong(tx, delivery, { ...subscription, live }, policy, jar);
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
      // What is for one blob goes together; the subscription may have had another place for it before.
      destination: `${delivery.destination} ${resourceId}/${blobContainerName}`,
      ...(delivery.subject !== undefined && { subject: delivery.subject }),
      url: `storage-blob:${resourceId}/${blobContainerName}`,
      headers: { resource: resourceId, container: blobContainerName, folder: spokenName(subscription.name) },
      body: JSON.stringify(letter),
    });
  }
  return 'dead-lettered';
}

const MINUTE = 60_000;

/** The destination is another by now, to which events go in another way, or the subscription is at another id: what waits for the former goes along. */
async function takeAlong(
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
    lastDeliveryOutcome: outcome === undefined ? 'Probation' : spokenOutcome(outcome),
    ...(status !== undefined && { lastHttpStatusCode: status }),
    publishTime: new Date(delivery.enqueuedAt).toISOString(),
    ...(last && { lastDeliveryAttemptTime: new Date(last.at).toISOString() }),
  };
}

function reasonOf(cause: DeliveryEnd['cause'], attempts: number, outcome: string | undefined): string {
  if (cause === 'exhausted') return 'MaxDeliveryAttemptsExceeded';
  if (cause === 'refused') return `UndeliverableDueToHttp${spokenOutcome(outcome ?? 'BadRequest')}`;
  // Never tried within its time: its endpoint was on probation all the while.
  return attempts === 0 ? 'UndeliverableDueToProbationCausedByClientError' : 'TimeToLiveExceeded';
}
