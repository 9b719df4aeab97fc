import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { collection } from '../../../src/kernel/store/collection.ts';
import { openPostgres, openSqlite } from '../../../src/kernel/store/index.ts';
import { foreignWaits, guardTransactions } from '../../../src/kernel/store/transaction-guard.ts';
import type { Store } from '../../../src/kernel/store/types.ts';
import { usePostgresDatabase } from '../../support/use-postgres.ts';

/** More event loop turns than the guard allows, however late they run. */
const fewTurns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await nextTurn();
};

const things = collection<{ readonly n: number }>('test.things');

describe.each(['sqlite', 'postgres'] as const)('%s: the guard of transactions', (engine) => {
  const withStore = async (
    context: Parameters<typeof usePostgresDatabase>[0],
    test: (store: Store) => Promise<void>,
  ) => {
    const collections = [things];
    const store =
      engine === 'sqlite'
        ? await openSqlite({ collections })
        : await openPostgres({ url: await usePostgresDatabase(context, 'guard'), collections });
    try {
      await test(guardTransactions(store));
    } finally {
      await store.close();
      foreignWaits.length = 0;
    }
  };

  it('lets a body pass that awaits nothing but the store, in sequence and side by side', (context) =>
    withStore(context, async (store) => {
      const written = await store.transact(async (tx) => {
        await Promise.all([tx.put(things, 'a', { n: 1 }), tx.put(things, 'b', { n: 2 })]);
        await Promise.resolve();
        return (await tx.get(things, 'a'))?.value.n;
      });
      expect(written).toBe(1);
      expect(foreignWaits).toEqual([]);
    }));

  it('refuses a body that waits for something else, names the last call, and writes nothing', (context) =>
    withStore(context, async (store) => {
      const body = store.transact(async (tx) => {
        await tx.put(things, 'a', { n: 1 });
        await fewTurns();
      });
      await expect(body).rejects.toThrow('awaits something other than the store after put(test.things)');
      expect(await store.get(things, 'a')).toBeUndefined();
      expect(foreignWaits).toHaveLength(1);
    }));

  it('refuses an import within a transaction', (context) =>
    withStore(context, async (store) => {
      const body = store.transact(async () => {
        await import('node:dgram');
        await fewTurns();
      });
      await expect(body).rejects.toThrow('after its beginning');
    }));
});
