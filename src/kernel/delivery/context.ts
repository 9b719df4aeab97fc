import type { Vault } from '../auth/vault.ts';
import type { JarClock } from '../clock/types.ts';
import type { Faults } from '../faults/index.ts';
import type { OutboundClient } from '../outbound/client.ts';
import type { Reader, Store, Stored } from '../store/types.ts';
import type { Logger } from '../telemetry/log.ts';
import { defineWork } from '../work/kind.ts';
import type { BoundPolicy } from './bound-policy.ts';
import type { InFlightMemory } from './in-flight-memory.ts';
import type { DueDelivery } from './policy.ts';
import { type DeliveryRecord, deliveryBodies, ownerOf } from './records.ts';
import type { SentMessage } from './tally.ts';
import { openTarget } from './target.ts';

/** Number of destinations served concurrently; a destination that hangs occupies a slot until its attempt times out. */
const DESTINATIONS_AT_ONCE = 1024;

/** Sends the due deliveries of one destination. Retried without limit, even if crashes of its holders repeat. */
export const PUMP = defineWork<{ readonly policy: string; readonly destination: string }>('deliveries.pump', {
  title: 'Delivers messages to a receiver',
  subject: 'destination',
  concurrency: DESTINATIONS_AT_ONCE,
  maxAttempts: Number.POSITIVE_INFINITY,
});

/** A pump during its turn, as seen by code that queues or cancels deliveries for its destination. */
export interface RunningPump {
  /** Something new may be due. */
  nudge(): void;
  /** Passes a new delivery, so that it need not be read from the store. */
  offer(stored: Stored<DeliveryRecord>): void;
  /** The delivery was cancelled, removed or rewritten, and must not be sent in its earlier state. */
  forget(id: string): void;
}

/** Shared by the parts of the engine. */
export interface DeliveryContext {
  readonly store: Store;
  readonly clock: JarClock;
  readonly vault: Vault;
  readonly log: Logger;
  readonly outbound: OutboundClient;
  readonly faults: Faults;
  /** Policies of the open services. */
  readonly policies: ReadonlyMap<string, BoundPolicy>;
  readonly inFlightMemory: InFlightMemory;
  /** Pumps that run on this node, by queue; a pump is removed in the transaction that ends its turn. */
  readonly running: Map<string, RunningPump>;
  /** For metrics: `delivered`, `retried`, `dead-lettered`, `dropped`, `cancelled`. */
  count(service: string, outcome: string): void;
  /** For logs: called for every message once its outcome is stored. */
  sent(message: SentMessage): void;
}

/** A service that queues or cancels is open, so its policies are known. */
export function policyOf(context: DeliveryContext, name: string): BoundPolicy {
  const policy = context.policies.get(name);
  if (!policy) throw new Error(`there is no delivery policy '${name}'`);
  return policy;
}

/** A record as its service sees it, with its target decrypted and its body loaded. */
export async function readDelivery(
  context: DeliveryContext,
  on: Pick<Reader, 'get'>,
  id: string,
  record: DeliveryRecord,
): Promise<DueDelivery> {
  return asDelivery(context, id, record, (await bodyOf(on, id, record)) ?? '');
}

/** Returns undefined if the delivery was removed since its record was read. */
async function bodyOf(on: Pick<Reader, 'get'>, id: string, record: DeliveryRecord): Promise<string | undefined> {
  return record.body ?? (await on.get(deliveryBodies, id, 'none'))?.value.body;
}

/** Loads the deliveries of one message with their bodies; omits those that were removed since they were read. */
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
