/** Processes many due items and prints the peak growth of the heap. Started with `--expose-gc`. */
import { bench, START } from './harness.ts';
import { openStore } from './open-store.ts';

const [location = '', count = '', bytes = ''] = process.argv.slice(2);
const items = Number(count);
const PAYLOAD = 'x'.repeat(Number(bytes));
const SAMPLES = 20;

const collect = globalThis.gc;
if (collect === undefined) throw new Error('start with --expose-gc');
const heapNow = (): number => {
  collect();
  return process.memoryUsage().heapUsed;
};

const store = await openStore(location);
let before = 0;
let most = 0;
let ran = 0;
const { schedule, advance, close } = await bench({
  store,
  handlers: {
    heavy: {
      concurrency: 16,
      run: async () => {
        ran += 1;
        if (ran % Math.ceil(items / SAMPLES) === 0) most = Math.max(most, heapNow() - before);
      },
    },
  },
});
for (let i = 0; i < items; i += 500) {
  const batch = Math.min(500, items - i);
  // Half of them at one instant, the others at a hundred per instant.
  const dueAt = (n: number): number => START + 1 + (n < items / 2 ? 0 : Math.floor(n / 100));
  await schedule(
    ...Array.from({ length: batch }, (_, k) => ({ kind: 'heavy', dueAt: dueAt(i + k), payload: PAYLOAD })),
  );
}
before = heapNow();
const { fired } = await advance('1d');
most = Math.max(most, heapNow() - before);
console.log(JSON.stringify({ fired, growth: most }));
await close();
await store.close();
