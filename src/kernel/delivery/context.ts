import type { Vault } from '../auth/vault.ts';
import type { JarClock } from '../clock/types.ts';
import type { Faults } from '../faults/index.ts';
import type { OutboundClient } from '../outbound/client.ts';
import type { Reader, Store, Stored } from '../store/types.ts';
import type { Logger } from '../telemetry/log.ts';
import { defineWork } from '../work/kind.ts';
import type { BoundPolicy } from './bound-policy.ts';
import type { DueDelivery } from './policy.ts';
import { type DeliveryRecord, deliveryBodies, ownerOf } from './records.ts';
import type { Room } from './room.ts';
import type { SentMessage } from './tally.ts';
import { openTarget } from './target.ts';

/** How many destinations are sent to at once; those that hang take a place each until they time out. */
const DESTINATIONS_AT_ONCE = 1024;

/** Sends what is due for one destination. Whatever happens to those who hold it, what is queued is not given up. */
export const PUMP = defineWork<{ readonly policy: string; readonly destination: string }>('deliveries.pump', {
  concurrency: DESTINATIONS_AT_ONCE,
  maxAttempts: Number.POSITIVE_INFINITY,
});

/** A pump in the middle of its turn, as those see it who have something for its destination. */
export interface RunningPump {
  /** Something may have come. */
  nudge(): void;
  /** This has come; what it needs not read from the store again. */
  offer(stored: Stored<DeliveryRecord>): void;
  /** This was taken back, removed or put anew: as it was it is not sent any more. */
  forget(id: string): void;
}

/** What the parts of the engine share. */
export interface DeliveryContext {
  readonly store: Store;
  readonly clock: JarClock;
  readonly vault: Vault;
  readonly log: Logger;
  readonly outbound: OutboundClient;
  readonly faults: Faults;
  /** Those of the services that are open. */
  readonly policies: ReadonlyMap<string, BoundPolicy>;
  readonly room: Room;
  /** The pumps that run on this node, by queue; until the transaction that ends their turn looks for the last time. */
  readonly running: Map<string, RunningPump>;
  /** For metrics: `delivered`, `retried`, `dead-lettered`, `dropped`, `cancelled`. */
  count(service: string, outcome: string): void;
  /** For logs: every message, when what came of it is written. */
  sent(message: SentMessage): void;
}

/** A service that queues or cancels is open, and so its policies are known. */
export function policyOf(context: DeliveryContext, name: string): BoundPolicy {
  const policy = context.policies.get(name);
  if (!policy) throw new Error(`there is no delivery policy '${name}'`);
  return policy;
}

/** A record as its service sees it, with the secrets of its address open and its body at hand. */
export async function readDelivery(
  context: DeliveryContext,
  on: Pick<Reader, 'get'>,
  id: string,
  record: DeliveryRecord,
): Promise<DueDelivery> {
  return asDelivery(context, id, record, (await bodyOf(on, id, record)) ?? '');
}

/** Undefined when the delivery was removed since its record was read. */
async function bodyOf(on: Pick<Reader, 'get'>, id: string, record: DeliveryRecord): Promise<string | undefined> {
  return record.body ?? (await on.get(deliveryBodies, id, 'none'))?.value.body;
}

/** Those of one message, with their bodies; without those that were removed since they were read. */
export async function openBatch(
  context: DeliveryContext,
  taken: readonly Stored<DeliveryRecord>[],
): Promise<{ readonly stored: readonly Stored<DeliveryRecord>[]; readonly batch: readonly DueDelivery[] }> {
  const [first] = taken;
  if (first && taken.length === 1 && first.value.body !== undefined)
    return { stored: taken, batch: [asDelivery(context, first.key, first.value, first.value.body)] };
  const bodies = await Promise.all(taken.map(({ key, value }) => bodyOf(context.store, key, value)));
  const stored: Stored<DeliveryRecord>[] = [];
  const batch: DueDelivery[] = [];
  for (const [i, each] of taken.entries()) {
    const body = bodies[i];
    if (body === undefined) continue;
    stored.push(each);
    batch.push(asDelivery(context, each.key, each.value, body));
  }
  return { stored, batch };
}

function asDelivery({ vault }: DeliveryContext, id: string, record: DeliveryRecord, body: string): DueDelivery {
  const target = openTarget(vault, record);
  const owner = ownerOf(record);
  return {
    id,
    destination: record.destination,
    ...(owner !== undefined && { owner }),
    ...(record.subject !== undefined && { subject: record.subject }),
    url: target.url,
    headers: target.headers ?? {},
    body,
    enqueuedAt: record.createdAt,
    attempts: record.tries,
    ...(record.timeoutMs !== undefined && { timeoutMs: record.timeoutMs }),
  };
}
