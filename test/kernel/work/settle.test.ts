import { describe, expect, test } from 'vitest';
import type { Store, WorkItem } from '../../../src/kernel/store/types.ts';
import { type RoundOutcome, settle, trySettle, untilSettled } from '../../../src/kernel/work/settle.ts';
import { engines } from './engines.ts';

async function claimed(store: Store): Promise<WorkItem> {
  await store.transact((tx) => tx.wake({ id: 'one', kind: 'a', dueAt: 1, payload: null }));
  const [item] = await store.work.claim({ kinds: ['a'], now: 1, limit: 1, leaseMs: 60_000 });
  if (!item) throw new Error('there is nothing to claim');
  return item;
}

describe.each(engines)('$name: an item that others wake', ({ open }) => {
  test('waits for the time that is left to do, or is gone', async (context) => {
    const store = await open(context);
    await settle(store, await claimed(store), async () => 500);
    expect(await store.work.nextDue()).toBe(500);
    const [again] = await store.work.claim({ kinds: ['a'], now: 500, limit: 1, leaseMs: 60_000 });
    expect(await trySettle(store, again as WorkItem, async () => undefined)).toBe('settled');
    expect(await store.work.nextDue()).toBeUndefined();
    await store.close();
  });

  test('is settled once all transactions that wake it have committed, with their work', async (context) => {
    const store = await open(context);
    const item = await claimed(store);
    let left: number | undefined;
    const woken = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const waking = store.transact(async (tx) => {
      await tx.wake({ id: 'one', kind: 'a', dueAt: 1, payload: null });
      woken.resolve();
      // SQLite has one writer: the other transaction starts only after this one has ended.
      if (store.engine === 'postgres') await mayCommit.promise;
      left = 700;
    });
    await woken.promise;
    const settled = settle(store, item, async () => left);
    mayCommit.resolve();
    await Promise.all([waking, settled]);
    expect(await store.work.nextDue()).toBe(700);
    await store.close();
  });
});

test('rounds are repeated until one settles, immediately if there is more to do', async () => {
  const ends: RoundOutcome[] = ['more', 'unsettled', 'more', 'settled'];
  const left = [...ends];
  await untilSettled(async () => left.shift() as RoundOutcome);
  expect(left).toEqual([]);
});

test('a round that fails ends the waiting with its error', async () => {
  await expect(untilSettled(() => Promise.reject(new Error('no store')))).rejects.toThrow('no store');
});
