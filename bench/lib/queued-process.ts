// Queues deliveries for unreachable receivers, and reports the peak memory of the process while it queues and for a while after.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { EVENT, startSender } from './sender.ts';

const [folder = '', count = '0'] = process.argv.slice(2);
const PER_TRANSACTION = 500;
const DESTINATIONS = 100;
const AFTERWARDS_MS = 5000;
/** Nothing listens on this port. */
const URL = 'http://127.0.0.1:9/hook';

const running = await startSender(join(folder, 'data'), {
  name: 'bench.queued',
  service: 'bench',
  plainHttp: true,
  schedule: [60_000],
  circuit: { afterFailures: 10, probationMs: [1000] },
});
const { store, delivery } = running.jar;
let most = 0;
const look = (): void => {
  most = Math.max(most, process.memoryUsage.rss());
};
for (let queued = 0; queued < Number(count); queued += PER_TRANSACTION) {
  await store.transact(async (tx) => {
    for (let i = 0; i < PER_TRANSACTION; i++) {
      const destination = `to-${i % DESTINATIONS}`;
      await delivery.enqueue(tx, { policy: 'bench.queued', destination, url: URL, body: EVENT });
    }
  });
  look();
}
for (const until = performance.now() + AFTERWARDS_MS; performance.now() < until; await pause(100)) look();
await running.close();
process.send?.(most / 1e6);
process.disconnect?.();
