import { createHmac } from 'node:crypto';
import type { DeliveryPolicy, DueDelivery, Message, Reply } from '../../../../kernel/delivery/index.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../kernel/time/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { type HttpTarget, type RegistryWebhook, webhooks } from './collections.ts';
import { OPEN_POLICY } from './open-deliver.ts';
import { REGISTRY_JOB, REGISTRY_WEBHOOK } from './policy-names.ts';
import { runJob } from './run-job.ts';

export const SIGNATURE_HEADER = 'x-databricks-signature';

/** The request to a receiver. Secrets are added when it is sent, so that no record of a delivery contains them. */
export function messageTo(target: HttpTarget, body: string, { vault }: Pick<PlatformJar, 'vault'>): Message {
  const { url, authorization, secret, verifiesCertificate } = target;
  const signature = secret === undefined ? undefined : hexSignature(vault.open(secret), body);
  return {
    url,
    headers: {
      'content-type': 'application/json',
      ...(authorization !== undefined && { authorization: vault.open(authorization) }),
      ...(signature !== undefined && { [SIGNATURE_HEADER]: signature }),
    },
    body,
    anyCertificate: !verifiesCertificate,
  };
}

const hexSignature = (secret: string, body: string): string => createHmac('sha256', secret).update(body).digest('hex');

async function webhookFor(jar: PlatformJar, destination: string): Promise<RegistryWebhook> {
  const found = (await jar.store.get(webhooks, destination))?.value;
  if (!found) throw new Error('the webhook was deleted');
  return found;
}

/** Uses the current webhook: a changed URL applies to pending deliveries. */
async function composeHttp([first]: readonly DueDelivery[], jar: PlatformJar): Promise<Message> {
  if (!first) throw new Error('there is no delivery');
  const { target } = await webhookFor(jar, first.destination);
  if (target.kind !== 'http') throw new Error('the webhook now starts a job');
  return messageTo(target, first.body, jar);
}

const DELIVERY_HEADER = 'x-cloudjar-delivery';
const WEBHOOK_HEADER = 'x-cloudjar-webhook';

async function composeJob([first]: readonly DueDelivery[]): Promise<Message> {
  if (!first) throw new Error('there is no delivery');
  const { url, id, destination, body } = first;
  return { url, headers: { [DELIVERY_HEADER]: id, [WEBHOOK_HEADER]: destination }, body };
}

/** Each delivery starts one run however often it is sent: its id is the idempotency token. */
async function sendJob({ headers = {}, body }: Message, jar: PlatformJar): Promise<Reply> {
  const webhook = await webhookFor(jar, headers[WEBHOOK_HEADER] ?? '');
  if (webhook.target.kind !== 'job') throw new Error('the webhook now sends requests');
  return runJob(jar, webhook.workspaceId, webhook.target, body, `webhook-${headers[DELIVERY_HEADER]}`);
}

/** The retry policy of the real service is unpublished; five attempts within a quarter of an hour are our choice. */
const RETRIES = {
  service: 'platform',
  schedule: [10 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS],
  maxAttempts: 5,
  timeToLiveMs: HOUR_MS,
  timeoutMs: 30 * SECOND_MS,
  honourRetryAfter: true,
} as const;

export const REGISTRY_POLICIES: readonly DeliveryPolicy<PlatformJar>[] = [
  { name: REGISTRY_WEBHOOK, ...RETRIES, compose: composeHttp },
  { name: REGISTRY_JOB, ...RETRIES, compose: composeJob, send: sendJob },
  OPEN_POLICY,
];
