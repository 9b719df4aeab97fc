import { expect, test } from 'vitest';
import type { Store, Tx, WorkItem } from '../../../../src/kernel/store/types.ts';
import { counters, type Engine, openNew } from './engines.ts';

const LONG_MS = 600_000;
const MANY = 60;
const ROUNDS = 20;

const wake = (store: Store, dueAt: number, id = 'w'): Promise<void> =>
  store.transact((tx) => tx.wake({ id, kind: 'k', dueAt, payload: id }));

async function claimOne(store: Store, now = 1000): Promise<WorkItem> {
  const [item] = await store.work.claim({ kinds: ['k'], now, limit: 1, leaseMs: LONG_MS });
  expect(item).toBeDefined();
  return item!;
}

const settle = (store: Store, item: WorkItem, next: number | undefined): Promise<boolean> =>
  store.transact((tx) => tx.settle(item, async () => next));

export function wakeTests(engine: Engine): void {
  test('waking creates an item, brings it forward and never puts it off', async (context) => {
    const store = await openNew(engine, context);
    await wake(store, 50);
    expect(await store.work.nextDue()).toBe(50);
    await wake(store, 80);
    expect(await store.work.nextDue()).toBe(50);
    await wake(store, 20);
    expect(await store.work.nextDue()).toBe(20);
    expect(await claimOne(store)).toMatchObject({ id: 'w', kind: 'k', payload: 'w', attempts: 0, dueAt: 20 });
    expect(await store.work.stats()).toMatchObject({ waiting: 0, leased: 1 });
  });

  test('waking does not end a lease, and revives a parked item', async (context) => {
    const store = await openNew(engine, context);
    await wake(store, 1);
    const item = await claimOne(store);
    await wake(store, 0);
    expect(await store.work.claim({ kinds: ['k'], now: 1000, limit: 1, leaseMs: LONG_MS })).toEqual([]);
    await store.transact((tx) => tx.park(item, 'hopeless'));
    await wake(store, 30);
    expect(await claimOne(store, 30)).toMatchObject({ id: 'w', attempts: 0 });
  });

  test('only waking that changes something is news', async (context) => {
    const store = await openNew(engine, context);
    let news = 0;
    store.onCommit((commit) => {
      if (commit.work) news += 1;
    });
    await wake(store, 50);
    expect(news).toBe(1);
    await wake(store, 60);
    expect(news).toBe(1);
    const item = await claimOne(store);
    await wake(store, 10);
    expect(news).toBe(1);
    await settle(store, item, 20);
    expect(news).toBe(2);
  });

  test('an item woken by several transactions at once is claimed by a worker that polls after every notice', async (context) => {
    const store = await openNew(engine, context);
    for (let round = 0; round < ROUNDS; round++) {
      // A separate kind, because the kind of the previous round may still be polled.
      const work = { id: `w${round}`, kind: `k${round}`, payload: 'w' };
      await store.transact((tx) => tx.schedule({ ...work, dueAt: 5000 }));
      const had = Promise.withResolvers<WorkItem>();
      const look = async (): Promise<void> => {
        const [item] = await store.work.claim({ kinds: [work.kind], now: 1000, limit: 1, leaseMs: LONG_MS });
        if (item) had.resolve(item);
      };
      const stop = store.onCommit((commit) => {
        if (commit.work) void look().catch(had.reject);
      });
      await Promise.all(Array.from({ length: 6 }, () => store.transact((tx) => tx.wake({ ...work, dueAt: 10 }))));
      expect(await had.promise).toMatchObject({ id: work.id, dueAt: 10 });
      stop();
    }
  });

  test('a settled item waits for the remaining work with its attempts reset, or is removed if there is none', async (context) => {
    const store = await openNew(engine, context);
    await wake(store, 1);
    const first = await claimOne(store);
    await store.transact((tx) => tx.retry(first, 2, 'busy'));
    const second = await claimOne(store);
    expect(second.attempts).toBe(1);
    expect(await settle(store, second, 70)).toBe(true);
    expect(await store.work.nextDue()).toBe(70);
    await expect(settle(store, second, 80)).rejects.toMatchObject({ code: 'LEASE_LOST' });
    await expect(store.transact((tx) => tx.complete(second))).rejects.toMatchObject({ code: 'LEASE_LOST' });
    const third = await claimOne(store);
    expect(third).toMatchObject({ dueAt: 70, attempts: 0, payload: 'w' });
    expect(await settle(store, third, undefined)).toBe(true);
    expect(await store.work.stats()).toMatchObject({ waiting: 0, leased: 0, parked: 0 });
  });

  test('a rolled-back settle leaves the item leased', async (context) => {
    const store = await openNew(engine, context);
    await wake(store, 1);
    const item = await claimOne(store);
    const failing = store.transact(async (tx) => {
      await tx.settle(item, async () => undefined);
      throw new Error('taken back');
    });
    await expect(failing).rejects.toThrow('taken back');
    expect(await settle(store, item, undefined)).toBe(true);
  });

  test('settling sees everything that was written together with a wake, or returns false', async (context) => {
    const store = await openNew(engine, context);
    const written = await raceWakersAndHolder(store, store);
    expect(written).toBe(MANY);
  });

  if (!engine.shared) return;

  test('nothing is overlooked between nodes either', async (context) => {
    const place = await engine.place(context);
    const [one, other] = [await place.open(), await place.open()];
    expect(await raceWakersAndHolder(one, other)).toBe(MANY);
  });

  test('a waking that is not committed yet keeps the item from being settled', async (context) => {
    const place = await engine.place(context);
    const [one, other] = [await place.open(), await place.open()];
    await wake(one, 1);
    const item = await claimOne(one);
    const woken = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const writer = other.transact(async (tx) => {
      await tx.wake({ id: 'w', kind: 'k', dueAt: 1, payload: 'w' });
      woken.resolve();
      await goOn.promise;
    });
    await woken.promise;
    expect(await settle(one, item, undefined)).toBe(false);
    goOn.resolve();
    await writer;
    expect(await settle(one, item, undefined)).toBe(true);
  });
}

/**
 * Writers add work and wake the item for it; a holder takes all work and settles when it sees none left. Everything that a writer adds must
 * eventually be taken.
 */
async function raceWakersAndHolder(writing: Store, holding: Store): Promise<number> {
  const writers = Array.from({ length: MANY }, (_, i) =>
    writing.transact(async (tx) => {
      await tx.put(counters, `left-${i}`, { count: 1 });
      await tx.wake({ id: 'w', kind: 'k', dueAt: 1, payload: 'w' });
    }),
  );
  let open = true;
  let taken = 0;
  const all = Promise.all(writers).then(() => {
    open = false;
  });
  const left = async (on: Pick<Tx, 'query'>) =>
    (await on.query(counters, { prefix: 'left-', limit: MANY })).items.map((item) => item.key);
  for (;;) {
    const finished = !open;
    const [item] = await holding.work.claim({ kinds: ['k'], now: 1, limit: 1, leaseMs: LONG_MS });
    if (!item) {
      if (finished) break;
      continue;
    }
    do {
      const keys = await left(holding);
      await holding.transact(async (tx) => {
        for (const key of keys) await tx.delete(counters, key);
      });
      taken += keys.length;
    } while (
      !(await holding.transact((tx) => tx.settle(item, async () => ((await left(tx)).length > 0 ? 1 : undefined))))
    );
  }
  await all;
  return taken;
}
