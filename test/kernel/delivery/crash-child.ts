/**
 * Enqueues and sends on the store it is given, to be killed at any moment. Each line is written after the commit, so that the parent knows of
 * every delivery that was acknowledged.
 */
import { writeSync } from 'node:fs';
import { Vault } from '../../../src/kernel/auth/vault.ts';
import { openClock } from '../../../src/kernel/clock/clock.ts';
import { clockCollection } from '../../../src/kernel/clock/position.ts';
import { createDelivery, deliveryCollections } from '../../../src/kernel/delivery/index.ts';
import type { Faults } from '../../../src/kernel/faults/index.ts';
import { OutboundClient } from '../../../src/kernel/outbound/client.ts';
import { openPostgres, openSqlite } from '../../../src/kernel/store/index.ts';
import { createLogger } from '../../../src/kernel/telemetry/log.ts';
import { createMetrics } from '../../../src/kernel/telemetry/metrics.ts';
import { pause } from '../../../src/kernel/time/timers.ts';
import { startWorker } from '../../../src/kernel/work/worker.ts';
import { keepCompiled } from '../../support/keep-compiled.ts';
import { CRASH_POLICY, DESTINATIONS } from './crash-policy.ts';

const WRITERS = 10;
const LOOK_AGAIN_MS = 20;
const [address = '', receiver = '', life = '', share = '0'] = process.argv.slice(2);
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
// Nothing in these tests has a fault rule.
const faults = { armed: false } as Faults;
const delivery = createDelivery({
  store,
  clock,
  vault: Vault.withRandomKey(),
  log,
  metrics: createMetrics(),
  outbound,
  faults,
  policies: [CRASH_POLICY.name],
  open: async () => {},
});
delivery.use([CRASH_POLICY], undefined);
const worker = startWorker({ store, clock, handlers: delivery.work, log, leaseMs: 600, safetyPollMs: 200 });
// Loaded with the first delivery, which may be after the kill.
await import('undici');
keepCompiled();

let next = 0;
async function write(): Promise<void> {
  while (next < Number(share)) {
    const body = `${life}-${next++}`;
    const destination = `to-${next % DESTINATIONS}`;
    await store.transact(async (tx) => {
      await delivery.enqueue(tx, { policy: CRASH_POLICY.name, destination, url: receiver, body });
    });
    writeSync(1, `${body}\n`);
  }
}
await Promise.all(Array.from({ length: WRITERS }, write));
for (;;) {
  await worker.idle();
  // Also what is held by somebody: by this worker since a moment ago, or by one that was killed.
  const { waiting, leased } = await store.work.stats();
  if (waiting + leased === 0) break;
  await pause(LOOK_AGAIN_MS);
}
await worker.stop();
await outbound.close();
clock.close();
await store.close();
