import { StoreError } from '../store/errors.ts';
import type { Stored, Tx } from '../store/types.ts';
import type { BoundPolicy } from './bound-policy.ts';
import { type DeliveryContext, readDelivery } from './context.ts';
import { type DeliveryRecord, deliveries, deliveryBodies, INLINE_BODY_BYTES } from './records.ts';

/**
 * Lets the service update a delivery before it is retried. Returns undefined if it is no longer queued, because it was cancelled since it
 * was read or by the service's `prepare`.
 */
export async function prepared(
  context: DeliveryContext,
  policy: BoundPolicy,
  stored: Stored<DeliveryRecord>,
): Promise<Stored<DeliveryRecord> | undefined> {
  const { prepare } = policy;
  if (!prepare || stored.value.tries === 0 || stored.value.orphaned) return stored;
  try {
    return await context.store.transact(async (tx) => {
      const queued = await readQueued(tx, stored.key);
      if (!queued) return undefined;
      const changes = await prepare(tx, await readDelivery(context, tx, queued.key, queued.value));
      const current = await readQueued(tx, stored.key);
      if (!current || !changes) return current;
      const { body, expiresAt } = changes;
      const later = expiresAt === undefined ? current.value : { ...current.value, expiresAt };
      return tx.put(deliveries, stored.key, body === undefined ? later : await withBody(tx, stored.key, later, body));
    });
  } catch (error) {
    if (error instanceof StoreError) throw error;
    context.log.error(
      { err: error, policy: policy.name },
      'a policy could not prepare a delivery, which is sent unchanged',
    );
    return stored;
  }
}

async function readQueued(tx: Tx, id: string): Promise<Stored<DeliveryRecord> | undefined> {
  const found = await tx.get(deliveries, id);
  return found?.value.state === 'queued' ? found : undefined;
}

/** Moves the body out of the record if it has become too large, and back if it has shrunk. */
async function withBody(tx: Tx, id: string, record: DeliveryRecord, body: string): Promise<DeliveryRecord> {
  const { body: before, ...rest } = record;
  const bodyBytes = Buffer.byteLength(body);
  if (bodyBytes <= INLINE_BODY_BYTES) {
    if (before === undefined) await tx.delete(deliveryBodies, id);
    return { ...rest, body, bodyBytes };
  }
  await tx.put(deliveryBodies, id, { body });
  return { ...rest, bodyBytes };
}
