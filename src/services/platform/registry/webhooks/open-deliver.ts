import { createHmac } from 'node:crypto';
import type { DeliveryPolicy, DueDelivery, Message, Verdict } from '../../../../kernel/delivery/index.ts';
import { SECOND_MS } from '../../../../kernel/time/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { type OpenWebhook, openWebhooks } from './collections.ts';
import { DELIVERY_ID_HEADER } from './open-notify.ts';
import { OPEN_WEBHOOK } from './policy-names.ts';

/** The request to a receiver, signed like the open-source server does: over the delivery id, the time and the body. */
export function openMessage(
  { url, secret }: Pick<OpenWebhook, 'url' | 'secret'>,
  deliveryId: string,
  body: string,
  { vault, clock }: Pick<PlatformJar, 'vault' | 'clock'>,
): Message {
  const seconds = String(Math.floor(clock.now() / SECOND_MS));
  const signed = secret === undefined ? undefined : signatureOf(vault.open(secret), `${deliveryId}.${seconds}.${body}`);
  return {
    url,
    headers: {
      'content-type': 'application/json',
      [DELIVERY_ID_HEADER]: deliveryId,
      'x-mlflow-timestamp': seconds,
      ...(signed !== undefined && { 'x-mlflow-signature': signed }),
    },
    body,
  };
}

const signatureOf = (secret: string, text: string): string =>
  `v1,${createHmac('sha256', secret).update(text).digest('base64')}`;

async function compose([first]: readonly DueDelivery[], jar: PlatformJar): Promise<Message> {
  if (!first) throw new Error('there is no delivery');
  const webhook = (await jar.store.get(openWebhooks, first.destination))?.value;
  if (!webhook) throw new Error('the webhook was deleted');
  return openMessage(webhook, first.headers[DELIVERY_ID_HEADER] ?? first.id, first.body, jar);
}

const RETRIED: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** Three retries, the first after a second, then each after twice the previous delay. */
export const OPEN_POLICY: DeliveryPolicy<PlatformJar> = {
  name: OPEN_WEBHOOK,
  service: 'platform',
  schedule: [SECOND_MS, 2 * SECOND_MS, 4 * SECOND_MS],
  maxAttempts: 4,
  timeoutMs: 30 * SECOND_MS,
  honourRetryAfter: true,
  classify({ status, outcome }): Verdict {
    if (status === undefined) return { is: outcome === 'Blocked' || outcome === 'BadAddress' ? 'refused' : 'retry' };
    if (status < 400) return { is: 'delivered' };
    return { is: RETRIED.has(status) ? 'retry' : 'refused' };
  },
  compose,
};
