/**
 * Enqueues and sends on the given store, to be killed at any moment. Each line is written after a commit, so that the parent knows every
 * acknowledged delivery.
 */
import { writeSync } from 'node:fs';
import { pause } from '../../../src/kernel/time/timers.ts';
import { keepCompiled } from '../../support/keep-compiled.ts';
import { CRASH_POLICY, DESTINATIONS } from './crash-policy.ts';
import { openSender } from './crash-sender.ts';

const WRITERS = 10;
const LOOK_AGAIN_MS = 20;
const [address = '', receiver = '', life = '', share = '0'] = process.argv.slice(2);
const sender = await openSender(address, CRASH_POLICY, { leaseMs: 600, safetyPollMs: 200 });
const { store, delivery, worker } = sender;
// Otherwise loaded with the first delivery, which may be after the kill.
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
  // Includes leased items: of this worker, or of one that was killed.
  const { waiting, leased } = await store.work.stats();
  if (waiting + leased === 0) break;
  await pause(LOOK_AGAIN_MS);
}
await sender.close();
