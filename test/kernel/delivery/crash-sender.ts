import { Vault } from '../../../src/kernel/auth/vault.ts';
import { openClock } from '../../../src/kernel/clock/clock.ts';
import { clockCollection } from '../../../src/kernel/clock/position.ts';
import {
  createDelivery,
  type DeliveryEngine,
  type DeliveryPolicy,
  deliveryCollections,
} from '../../../src/kernel/delivery/index.ts';
import type { Faults } from '../../../src/kernel/faults/index.ts';
import { OutboundClient } from '../../../src/kernel/outbound/client.ts';
import { openPostgres, openSqlite } from '../../../src/kernel/store/index.ts';
import type { Store } from '../../../src/kernel/store/types.ts';
import { createLogger } from '../../../src/kernel/telemetry/log.ts';
import { createMetrics } from '../../../src/kernel/telemetry/metrics.ts';
import { startWorker, type Worker, type WorkerOptions } from '../../../src/kernel/work/worker.ts';

export interface CrashSender {
  readonly store: Store;
  readonly delivery: DeliveryEngine;
  readonly worker: Worker;
  close(): Promise<void>;
}

/** The minimum that sends: a store, deliveries of one policy and a worker, in a process that is to be killed. */
export async function openSender(
  address: string,
  policy: DeliveryPolicy,
  options: Pick<WorkerOptions, 'leaseMs' | 'safetyPollMs'> = {},
): Promise<CrashSender> {
  const collections = [...deliveryCollections, clockCollection];
  const store = address.startsWith('postgres:')
    ? await openPostgres({ url: address, collections })
    : await openSqlite({ file: address, collections });
  const clock = await openClock({ mode: 'system', store });
  const log = createLogger({ level: 'fatal' });
  const outbound = new OutboundClient({
    host: '127.0.0.1',
    allowHttpLoopback: true,
    ownPorts: () => [],
    authority: async () => '',
  });
  // These tests use no fault rules.
  const faults = { armed: false } as Faults;
  const delivery = createDelivery({
    store,
    clock,
    vault: Vault.withRandomKey(),
    log,
    metrics: createMetrics(),
    outbound,
    faults,
    policies: [policy.name],
    open: async () => {},
  });
  delivery.use([policy], undefined);
  const worker = startWorker({ store, clock, handlers: delivery.work, log, ...options });
  return {
    store,
    delivery,
    worker,
    async close() {
      await worker.stop();
      await outbound.close();
      clock.close();
      await store.close();
    },
  };
}
