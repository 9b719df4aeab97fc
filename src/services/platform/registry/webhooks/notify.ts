import { allOf, eq, readAll, type Tx } from '../../../../kernel/store/index.ts';
import { nameOf } from '../../access/standing.ts';
import { principalOf } from '../../accounts/principals.ts';
import type { PlatformJar } from '../../jar.ts';
import type { RegistryChange } from '../registry-changes.ts';
import { placeOf, type RegistryWebhook, webhookKey, webhooks } from './collections.ts';
import { contentOf, eventsOf, type RegistryEvent } from './events.ts';
import { notifyOpenWebhooks } from './open-notify.ts';
import { policyFor } from './policy-names.ts';

/** Queues messages to webhooks in the transaction of the event: both commit, or neither. */
export async function notifyRegistry(tx: Tx, jar: PlatformJar, happening: RegistryChange): Promise<void> {
  await notifyWebhooks(tx, jar, happening);
  await notifyOpenWebhooks(tx, jar, happening);
}

async function notifyWebhooks(tx: Tx, jar: PlatformJar, happening: RegistryChange): Promise<void> {
  const events = eventsOf(happening);
  if (events.length === 0) return;
  const { model, by } = happening;
  const { workspaceId, accountId, id } = model;
  const filter = allOf(
    { op: 'in', field: 'place', values: [placeOf(workspaceId), placeOf(workspaceId, id)] },
    eq('status', 'ACTIVE'),
    { op: 'hasAny', field: 'events', values: [...events] },
  );
  const found = await readAll(tx, webhooks, { filter });
  if (found.length === 0) return;
  const principal = await principalOf(tx, accountId, by);
  const content = contentOf(happening, principal ? nameOf(principal) : by);
  for (const { value: webhook } of found)
    for (const event of events) if (webhook.events.includes(event)) await enqueue(tx, jar, webhook, event, content);
}

/** The body of a message. */
export const payloadOf = (
  { id }: Pick<RegistryWebhook, 'id'>,
  event: RegistryEvent,
  now: number,
  content: object,
): string => JSON.stringify({ event, webhook_id: id, event_timestamp: now, ...content });

async function enqueue(
  tx: Tx,
  jar: PlatformJar,
  webhook: RegistryWebhook,
  event: RegistryEvent,
  content: object,
): Promise<void> {
  const { target, workspaceId, id, accountId } = webhook;
  await jar.delivery.enqueue(tx, {
    policy: policyFor(target),
    destination: webhookKey(workspaceId, id),
    owner: accountId,
    subject: `${event} ${id}`,
    url: target.kind === 'http' ? target.url : runNowUrl(webhook.workspaceId, target.workspaceUrl),
    headers: { 'content-type': 'application/json' },
    body: payloadOf(webhook, event, jar.clock.now(), content),
  });
}

/** URL at which a job is run. For the jar itself, the URL contains the name of the workspace. */
const runNowUrl = (workspaceId: string, url = `https://${workspaceId}.platform.localhost`): string =>
  new URL('/api/2.2/jobs/run-now', url).href;
