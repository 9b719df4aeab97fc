/**
 * Processes the queue of the given store until it is killed at any moment. Each `ran` line is written before the item ends, so that the
 * parent knows of every run that may have had effects outside of the store.
 */
import { writeSync } from 'node:fs';
import type { WorkItem } from '../../../src/kernel/store/types.ts';
import { pause } from '../../../src/kernel/time/timers.ts';
import { keepCompiled } from '../../support/keep-compiled.ts';
import { bench, effects } from './harness.ts';
import { openStore } from './open-store.ts';

const [location = ''] = process.argv.slice(2);
const store = await openStore(location);

/** Synchronous, so that the output is written before the kill. */
const say = (line: string): void => void writeSync(1, `${line}\n`);

const counted = {
  concurrency: 3,
  run: async (item: WorkItem) => {
    await pause(1);
    await store.transact(async (tx) => {
      const times = (await tx.get(effects, String(item.payload)))?.value.times ?? 0;
      await tx.put(effects, String(item.payload), { times: times + 1 });
      await tx.schedule({ kind: 'plain', dueAt: item.dueAt, payload: item.payload });
      await tx.complete(item);
    });
    say(`counted ${item.payload}`);
  },
};

const plain = {
  run: async (item: WorkItem) => {
    say(`ran ${item.payload}`);
    await pause(1);
  },
};

const { worker, close } = await bench({
  store,
  handlers: { counted, plain },
  node: String(process.pid),
  leaseMs: 600,
  safetyPollMs: 200,
});
keepCompiled();
await worker.idle();
say('idle');
await close();
await store.close();
