import { eq, readAll, type Tx } from '../../../../kernel/store/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { freeCount } from '../../limits/take.ts';
import type { RegisteredModel } from '../collections.ts';
import { placeOf, type RegistryWebhook, webhookKey, webhooks } from './collections.ts';
import { policyFor } from './policy-names.ts';

/** Removes a webhook and its pending deliveries. */
export async function removeWebhook(tx: Tx, jar: PlatformJar, webhook: RegistryWebhook): Promise<void> {
  const { workspaceId, id, target } = webhook;
  const destination = webhookKey(workspaceId, id);
  await tx.delete(webhooks, destination);
  await jar.delivery.cancel(tx, { policy: policyFor(target), destination });
  await freeCount(tx, jar, { row: 'registry-webhooks', scope: [workspaceId] });
}

/** Removes the webhooks that subscribe to a single model, together with the model. */
export async function cancelWebhooksOf(
  tx: Tx,
  jar: PlatformJar,
  { workspaceId, id }: Pick<RegisteredModel, 'workspaceId' | 'id'>,
): Promise<void> {
  const filter = eq('place', placeOf(workspaceId, id));
  for (const { value } of await readAll(tx, webhooks, { filter })) await removeWebhook(tx, jar, value);
}
