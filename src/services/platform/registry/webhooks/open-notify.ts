import { uuid } from '../../../../kernel/ids/index.ts';
import { allOf, eq, readAll, type Tx } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import type { PlatformJar } from '../../jar.ts';
import type { RegistryChange } from '../registry-changes.ts';
import { openWebhooks, webhookKey } from './collections.ts';
import { type OpenEvent, openMessageOf } from './open-events.ts';
import { OPEN_WEBHOOK } from './policy-names.ts';

/** The same in every attempt, so that a receiver can deduplicate. */
export const DELIVERY_ID_HEADER = 'x-mlflow-delivery-id';

/** Queues a message for every webhook of the open-source API that subscribes to the event. */
export async function notifyOpenWebhooks(tx: Tx, jar: PlatformJar, happening: RegistryChange): Promise<void> {
  const message = openMessageOf(happening);
  if (!message) return;
  const { workspaceId, accountId } = happening.model;
  const filter = allOf(eq('workspace', workspaceId), eq('status', 'ACTIVE'), {
    op: 'has',
    field: 'events',
    value: message.event,
  });
  for (const { value } of await readAll(tx, openWebhooks, { filter }))
    await jar.delivery.enqueue(tx, {
      policy: OPEN_WEBHOOK,
      destination: webhookKey(workspaceId, value.id),
      owner: accountId,
      subject: `${message.event} ${value.id}`,
      url: value.url,
      headers: { 'content-type': 'application/json', [DELIVERY_ID_HEADER]: uuid() },
      body: openPayload(message.event, message.data, jar.clock.now()),
    });
}

export function openPayload(event: OpenEvent, data: JsonMembers, now: number): string {
  const [entity, action] = event.toLowerCase().split('/');
  return JSON.stringify({ entity, action, timestamp: new Date(now).toISOString(), data });
}
