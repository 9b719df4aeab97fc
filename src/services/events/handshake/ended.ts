import type { AttemptResult, DeliveryEnd, EndedDelivery } from '../../../kernel/delivery/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { eventSubscriptions } from '../collections.ts';
import type { EventsJar } from '../jar.ts';
import { baseOf } from '../subscriptions/read/endpoint-url.ts';
import { awaitManualAction, fail, succeed } from '../subscriptions/transitions.ts';
import { subjectOf } from './messages.ts';
import { allowedRate, type Consent, consentOf, REQUEST_ORIGIN } from './verdict.ts';

/** Applies the outcome of a handshake, in the transaction that ends its delivery. */
export async function handshakeEnded(
  tx: Tx,
  deliveries: readonly EndedDelivery[],
  end: DeliveryEnd,
  jar: EventsJar,
): Promise<void> {
  for (const delivery of deliveries) {
    const subscription = (await tx.get(eventSubscriptions, delivery.owner ?? ''))?.value;
    const pending = subscription?.pending;
    // The endpoint was confirmed meanwhile, or a newer definition is pending.
    if (!subscription || !pending || delivery.subject !== subjectOf(pending)) continue;
    const waiting = { ...subscription, pending };
    const consent: Consent = end.result ? consentOf(end.result, delivery) : { is: 'refused', rule: end.rule };
    if (consent.is === 'given') await succeed(tx, jar, waiting, allowedRate(end.result as AttemptResult));
    else if (consent.is === 'open') {
      await awaitManualAction(tx, jar, waiting);
      // The client may poll for a long time without learning the reason; the log is the only place that shows it.
      jar.log.warn({ subscription: subscription.id, delivery: delivery.id }, `no events yet: ${consent.rule}`);
    } else await fail(tx, jar, waiting, failure(delivery, consent, jar.clock.now()));
  }
}

/** In the real service's wording: method, result, activity id and time. */
function failure(delivery: EndedDelivery, { rule }: Consent, now: number): string {
  const method = delivery.headers[REQUEST_ORIGIN] === undefined ? 'POST' : 'OPTIONS';
  const last = delivery.history.at(-1);
  const came = last?.status === undefined ? 'got no answer' : `got the status code ${last.status}`;
  const attempts = delivery.history.length === 1 ? 'one attempt' : `${delivery.history.length} attempts`;
  return `Webhook validation handshake failed for '${baseOf(delivery.url)}'. Http ${method} ${came} in ${attempts}. ${rule}. Activity id: ${delivery.id}, timestamp: ${new Date(now).toISOString()}.`;
}
