import type { AttemptResult, DeliveryEnd, EndedDelivery } from '../../../kernel/delivery/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { eventSubscriptions } from '../collections.ts';
import type { EventsJar } from '../jar.ts';
import { baseOf } from '../subscriptions/read/endpoint-url.ts';
import { awaitManualAction, fail, succeed } from '../subscriptions/transitions.ts';
import { subjectOf } from './messages.ts';
import { allowedRate, type Consent, consentOf, REQUEST_ORIGIN } from './verdict.ts';

/** An endpoint was asked, and this is what came of it; in the transaction that writes it down. */
export async function handshakeEnded(
  tx: Tx,
  deliveries: readonly EndedDelivery[],
  end: DeliveryEnd,
  jar: EventsJar,
): Promise<void> {
  for (const delivery of deliveries) {
    const subscription = (await tx.get(eventSubscriptions, delivery.owner ?? ''))?.value;
    const pending = subscription?.pending;
    // Somebody else has agreed for it, or something newer is wanted.
    if (!subscription || !pending || delivery.subject !== subjectOf(pending)) continue;
    const waiting = { ...subscription, pending };
    const consent: Consent = end.result ? consentOf(end.result, delivery) : { is: 'refused', rule: end.rule };
    if (consent.is === 'given') await succeed(tx, jar, waiting, allowedRate(end.result as AttemptResult));
    else if (consent.is === 'open') {
      await awaitManualAction(tx, jar, waiting);
      // A client polls in silence for as long as that takes: this is all there is to be seen of the reason.
      jar.log.warn({ subscription: subscription.id, delivery: delivery.id }, `no events yet: ${consent.rule}`);
    } else await fail(tx, jar, waiting, failure(delivery, consent, jar.clock.now()));
  }
}

/** As the real service says it: the method, what came back, where to look further, and when. */
function failure(delivery: EndedDelivery, { rule }: Consent, now: number): string {
  const method = delivery.headers[REQUEST_ORIGIN] === undefined ? 'POST' : 'OPTIONS';
  const last = delivery.history.at(-1);
  const came = last?.status === undefined ? 'got no answer' : `got the status code ${last.status}`;
  const attempts = delivery.history.length === 1 ? 'one attempt' : `${delivery.history.length} attempts`;
  return `Webhook validation handshake failed for '${baseOf(delivery.url)}'. Http ${method} ${came} in ${attempts}. ${rule}. Activity id: ${delivery.id}, timestamp: ${new Date(now).toISOString()}.`;
}
