import { Vault } from '../../../src/kernel/auth/vault.ts';
import { openClock } from '../../../src/kernel/clock/index.ts';
import { clockCollection } from '../../../src/kernel/clock/position.ts';
import type { JarClock } from '../../../src/kernel/clock/types.ts';
import { createSnapshots, type Snapshots, snapshotCollections } from '../../../src/kernel/snapshots/index.ts';
import { collection, set, text } from '../../../src/kernel/store/collection.ts';
import { openPostgres, openSqlite } from '../../../src/kernel/store/index.ts';
import type { Collection, Store, Tx } from '../../../src/kernel/store/types.ts';

/** Shared by the parent and the child of a crash test: documents that all contain their generation. */
export interface Item {
  readonly generation: string;
  readonly note: string;
}

export const items = collection<Item>('test.items', {
  fields: { generation: text((item) => item.generation), marks: set((item) => [item.generation, 'all']) },
  indexes: [['generation']],
});

export const ITEMS = 1500;
export const COLLECTIONS: readonly Collection<never>[] = [items, clockCollection, ...snapshotCollections];

export interface Opened {
  readonly store: Store;
  readonly clock: JarClock;
  readonly snapshots: Snapshots;
  readonly vault: Vault;
  close(): Promise<void>;
}

/** Opens a store and snapshots without the rest of a jar. An empty address means in memory. */
export async function openSnapshots(engine: string, address: string, key = 1): Promise<Opened> {
  const store =
    engine === 'PostgreSQL'
      ? await openPostgres({ url: address, collections: COLLECTIONS, report: () => {} })
      : await openSqlite({ ...(address !== '' && { file: address }), collections: COLLECTIONS });
  const clock = await openClock({ mode: 'virtual', start: 1_000_000, store });
  const vault = new Vault(Buffer.alloc(32, key));
  const snapshots = createSnapshots({
    store,
    clock,
    vault,
    worker: { pause: async () => {}, resume: () => {} },
    version: '0.0.0',
    collections: COLLECTIONS,
    forget: async () => {},
    report: () => {},
    abandonedAfterMs: 0,
  });
  return {
    store,
    clock,
    snapshots,
    vault,
    async close() {
      clock.close();
      await store.close();
    },
  };
}

/** Writes all items, due work and change records of a generation. */
export async function fill(store: Store, generation: string): Promise<void> {
  const note = 'some words that make the document longer '.repeat(5);
  await store.wipe(async (tx: Tx) => {
    await tx.putAll(
      items,
      Array.from({ length: ITEMS }, (_, i) => [`i${i}`, { generation, note }] as const),
    );
    for (let i = 0; i < 50; i++) {
      await tx.schedule({ id: `${generation}-${i}`, kind: generation, dueAt: i, payload: null });
      await tx.change({ source: generation, kind: 'k', subject: `${i}`, outcome: 'Succeeded', at: i, data: null });
    }
  });
}
