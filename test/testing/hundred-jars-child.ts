import { readdirSync } from 'node:fs';
import { startJar } from '../../src/testing/index.ts';

/** Starts and closes jars one after the other, and prints the remaining memory after the first few and after all. */

const WARM_UP = 10;
const ALL = Number(process.argv[2]);

async function useOne(): Promise<void> {
  const jar = await startJar();
  await fetch(`${jar.url}/subscriptions?api-version=2022-12-01`, {
    headers: { authorization: `Bearer ${await jar.token()}` },
  }).then((response) => response.text());
  await jar.snapshot('before');
  await jar.clock.advance('1d');
  await jar.restore('before');
  await jar.reset();
  await jar.close();
}

async function measure() {
  // Several rounds, because finalizers of one collection free objects for the next.
  for (let round = 0; round < 5; round++) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return {
    heapBytes: process.memoryUsage().heapUsed,
    handles: process
      .getActiveResourcesInfo()
      .filter((kind) => kind !== 'TTYWrap' && kind !== 'PipeWrap')
      .sort(),
    listeners: process
      .eventNames()
      .map((name) => `${String(name)} ${process.listenerCount(name)}`)
      .sort(),
    files: readdirSync('/proc/self/fd').length,
  };
}

for (let i = 0; i < WARM_UP; i++) await useOne();
const early = await measure();
for (let i = WARM_UP; i < ALL; i++) await useOne();
const late = await measure();
process.stdout.write(JSON.stringify({ early, late }));
