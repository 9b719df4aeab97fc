/**
 * Saves and restores many documents and prints the peak memory. Started with `--expose-gc` and a small young generation, so that garbage is
 * collected early and full collections are rarely needed to measure memory in use.
 */
import { items, openSnapshots } from './open-snapshots.ts';

const [engine = '', address = '', count = '', words = ''] = process.argv.slice(2);
const documents = Number(count);
const BATCH = 1000;
const LOOK_MS = 20;
/**
 * Less than the test allows: up to here garbage may count as memory in use, because a full collection costs more than the work between two
 * measurements.
 */
const LITTLE = documents * Number(words) * 2;

const collect = globalThis.gc;
if (collect === undefined) throw new Error('start with --expose-gc');
const held = (): number => {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
const inUse = (): number => {
  collect();
  // Buffers freed by a collection count as in use until the next one.
  collect();
  return held();
};

const { store, snapshots, close } = await openSnapshots(engine, address);
await store.wipe(async (_tx, load) => {
  for (let done = 0; done < documents; done += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, documents - done) }, (_, i) => {
      const body = JSON.stringify({ generation: 'large', note: `${done + i} `.repeat(Number(words)) });
      return [`item-${done + i}`, 'etag', body] as const;
    });
    await load({ of: 'documents', collection: items.name, rows });
  }
});
const before = inUse();
let most = 0;
const looking = setInterval(() => {
  const growth = held() - before;
  most = Math.max(most, growth < LITTLE ? growth : inUse() - before);
}, LOOK_MS);
let over = false;
let written = 0;
const others = (async () => {
  while (!over) {
    await store.transact((tx) =>
      tx.put(items, `item-${written % documents}`, { generation: 'other', note: 'meanwhile' }),
    );
    written += 1;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
})();
const { snapshot } = await snapshots.save('large');
const writtenWhileSaving = written;
over = true;
await others;
await snapshots.restore('large');
const restored = await store.count(items);
const present = await snapshots.compare({ from: 'large', limit: 10 });
const itself = await snapshots.compare({ from: 'large', to: 'large', limit: 10 });
const same = [present, itself].map(
  ({ collections }) => collections.find((each) => each.collection === items.name)?.same,
);
clearInterval(looking);
const { bytes, storedBytes } = snapshot;
console.log(JSON.stringify({ restored, same, growth: most, bytes, storedBytes, writtenWhileSaving }));
await close();
