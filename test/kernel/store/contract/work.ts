import { expect, test } from 'vitest';
import type { NewWork, Store, WorkItem } from '../../../../src/kernel/store/types.ts';
import { MOST_COUNTED } from '../../../../src/kernel/store/views.ts';
import { type Engine, openNew, things } from './engines.ts';
import { wakeTests } from './work-wake.ts';

const LONG_MS = 600_000;

function schedule(store: Store, ...items: (Partial<NewWork> & { dueAt: number })[]): Promise<void> {
  return store.transact(async (tx) => {
    for (const item of items) await tx.schedule({ kind: 'k', payload: null, ...item });
  });
}

async function claim(store: Store, now: number, limit = 10, kinds = ['k'], leaseMs = LONG_MS): Promise<WorkItem[]> {
  return store.work.claim({ kinds, now, limit, leaseMs });
}

const ids = (items: readonly WorkItem[]) => items.map((item) => item.id);

export function workTests(engine: Engine): void {
  test('due items come in order of due time, then of scheduling, and only those of the kinds asked for', async (context) => {
    const store = await openNew(engine, context);
    await schedule(
      store,
      { id: 'c', dueAt: 30 },
      { id: 'a2', dueAt: 10 },
      { id: 'a1', dueAt: 10 },
      { id: 'other', dueAt: 1, kind: 'other' },
      { id: 'b', dueAt: 20.5, kind: 'k2', payload: { deep: [1] } },
      { id: 'late', dueAt: 31 },
    );
    expect(await store.work.nextDue()).toBe(1);
    expect(await store.work.nextDue(['k2', 'none'])).toBe(20.5);
    expect(await store.work.nextDue(['none'])).toBeUndefined();
    expect((await store.work.kinds()).sort()).toEqual(['k', 'k2', 'other']);
    expect(await store.work.pending(30)).toBe(5);
    expect(await store.work.pending(30, ['k', 'k2'])).toBe(4);
    const first = await claim(store, 30, 3, ['k', 'k2', 'k']);
    expect(ids(first)).toEqual(['a2', 'a1', 'b']);
    expect(first[2]).toMatchObject({ kind: 'k2', dueAt: 20.5, payload: { deep: [1] }, attempts: 0 });
    expect(ids(await claim(store, 30, 3, ['k', 'k2']))).toEqual(['c']);
    expect(await claim(store, 30, 3, ['k', 'k2'])).toEqual([]);
    expect(await store.work.nextDue(['k'])).toBe(31);
    expect(await store.work.pending(30)).toBe(5);
    expect(await store.work.stats()).toEqual({ waiting: 2, leased: 4, parked: 0, oldestDueAt: 1 });
  });

  test('the items of each kind are counted by state, and long queues only up to a bound', async (context) => {
    const store = await openNew(engine, context);
    await schedule(
      store,
      { id: 'now', dueAt: 10 },
      { id: 'soon', dueAt: 20 },
      { id: 'failed', dueAt: 5, kind: 'failing' },
      { id: 'held', dueAt: 1, kind: 'held' },
    );
    const [failed] = await claim(store, 5, 1, ['failing']);
    await store.transact((tx) => tx.park(failed!, 'hopeless'));
    await claim(store, 1, 1, ['held']);
    const none = { due: 0, later: 0, leased: 0, parked: 0, oldestDueAt: undefined };
    const others = [
      { ...none, kind: 'failing', parked: 1 },
      { ...none, kind: 'held', leased: 1, oldestDueAt: 1 },
    ];
    expect(await store.work.byKind(10)).toEqual([...others, { ...none, kind: 'k', due: 1, later: 1, oldestDueAt: 10 }]);
    await store.transact(async (tx) => {
      for (let n = 0; n <= MOST_COUNTED; n++) await tx.schedule({ kind: 'k', dueAt: 30, payload: null });
    });
    expect((await store.work.byKind(20)).at(-1)).toEqual({
      ...none,
      kind: 'k',
      due: 2,
      later: MOST_COUNTED,
      oldestDueAt: 10,
    });
  });

  test('what is due until a time is counted by kind and listed in order, with leased items and without parked ones', async (context) => {
    const store = await openNew(engine, context);
    const due = (until: number, limit = 10) => store.work.due({ kinds: ['k', 'k2', 'k', 'none'], until, limit });
    expect(await due(100)).toEqual({ counts: [], items: [] });
    await schedule(store, { id: 'parked', dueAt: 1 }, { id: 'leased', dueAt: 2, kind: 'k2' });
    const [parked] = await claim(store, 2, 1, ['k']);
    await store.transact((tx) => tx.park(parked!, 'it failed'));
    await claim(store, 2, 1, ['k2']);
    await schedule(
      store,
      { id: 'b', dueAt: 10, payload: { deep: [1] } },
      { id: 'a', dueAt: 10, kind: 'k2' },
      { id: 'c', dueAt: 20.5 },
      { id: 'late', dueAt: 21 },
      { id: 'other', dueAt: 1, kind: 'other' },
    );
    const counts = [
      { kind: 'k2', count: 2, firstAt: 2, lastAt: 10 },
      { kind: 'k', count: 2, firstAt: 10, lastAt: 20.5 },
    ];
    const { items, ...counted } = await due(20.5);
    expect(counted).toEqual({ counts });
    expect(items.map(({ id }) => id)).toEqual(['leased', 'b', 'a', 'c']);
    expect(items[1]).toEqual({ id: 'b', kind: 'k', dueAt: 10, payload: { deep: [1] } });
    const few = await due(20.5, 2);
    expect(few.counts).toEqual(counts);
    expect(few.items.map(({ id }) => id)).toEqual(['leased', 'b']);
    expect((await due(1)).counts).toEqual([]);
  });

  test('an item ends together with its effects, or not at all', async (context) => {
    const store = await openNew(engine, context);
    await schedule(store, { id: 'w', dueAt: 1 });
    const [item] = await claim(store, 1);
    const failing = store.transact(async (tx) => {
      await tx.put(things, 'effect', {});
      await tx.complete(item!);
      throw new Error('taken back');
    });
    await expect(failing).rejects.toThrow('taken back');
    expect(await store.get(things, 'effect')).toBeUndefined();
    await store.transact(async (tx) => {
      await tx.put(things, 'effect', {});
      await tx.complete(item!);
    });
    expect(await store.work.stats()).toEqual({ waiting: 0, leased: 0, parked: 0, oldestDueAt: undefined });
    await expect(store.transact((tx) => tx.complete(item!))).rejects.toMatchObject({ code: 'LEASE_LOST' });
  });

  test('an item that is tried again counts its attempts, and a parked one is out of circulation until rescheduled', async (context) => {
    const store = await openNew(engine, context);
    await schedule(store, { id: 'w', dueAt: 1 });
    const [first] = await claim(store, 1);
    await store.transact((tx) => tx.retry(first!, 50, 'busy'));
    expect(await claim(store, 49)).toEqual([]);
    const [second] = await claim(store, 50);
    expect(second).toMatchObject({ id: 'w', attempts: 1, dueAt: 50 });
    expect(second!.lease).not.toBe(first!.lease);
    await expect(store.transact((tx) => tx.retry(first!, 60, 'late'))).rejects.toMatchObject({ code: 'LEASE_LOST' });
    await expect(store.transact((tx) => tx.park(first!, 'late'))).rejects.toMatchObject({ code: 'LEASE_LOST' });
    await store.transact((tx) => tx.park(second!, 'hopeless'));
    expect(await claim(store, 1000)).toEqual([]);
    expect(await store.work.stats()).toEqual({ waiting: 0, leased: 0, parked: 1, oldestDueAt: undefined });
    expect(await store.work.nextDue()).toBeUndefined();
    expect(await store.work.pending(1000)).toBe(0);
    expect(await store.work.kinds()).toEqual([]);
    await schedule(store, { id: 'w', dueAt: 2 });
    expect(await claim(store, 2)).toMatchObject([{ id: 'w', attempts: 0 }]);
  });

  test('scheduling an id again moves the item and voids a lease on it', async (context) => {
    const store = await openNew(engine, context);
    await schedule(store, { id: 'w', dueAt: 1, payload: 'old' });
    const [item] = await claim(store, 1);
    await schedule(store, { id: 'w', dueAt: 5, payload: 'new' });
    await expect(store.transact((tx) => tx.complete(item!))).rejects.toMatchObject({ code: 'LEASE_LOST' });
    expect(await store.work.renew([item!], LONG_MS)).toEqual([]);
    expect(await claim(store, 4)).toEqual([]);
    expect(await claim(store, 5)).toMatchObject([{ id: 'w', payload: 'new' }]);
  });

  test('a cancelled item is gone, even from its holder', async (context) => {
    const store = await openNew(engine, context);
    await schedule(store, { id: 'w', dueAt: 1 });
    const [item] = await claim(store, 1);
    expect(await store.transact((tx) => tx.cancel('w'))).toBe(true);
    expect(await store.transact((tx) => tx.cancel('w'))).toBe(false);
    await expect(store.transact((tx) => tx.complete(item!))).rejects.toMatchObject({ code: 'LEASE_LOST' });
  });

  test('an item with an expired lease goes to the next claim, and the former holder has lost it', async (context) => {
    const store = await openNew(engine, context);
    await schedule(store, { id: 'short', dueAt: 1 }, { id: 'renewed', dueAt: 1 });
    const [short, renewed] = await claim(store, 1, 2, ['k'], 1);
    expect(await store.work.renew([renewed!], LONG_MS)).toEqual(['renewed']);
    const next = await expect
      .poll(() => store.work.nextDue())
      .toBe(1)
      .then(() => claim(store, 1));
    expect(next).toMatchObject([{ id: 'short', attempts: 1 }]);
    await expect(store.transact((tx) => tx.complete(short!))).rejects.toMatchObject({ code: 'LEASE_LOST' });
    await store.transact((tx) => tx.complete(renewed!));
    await store.transact((tx) => tx.complete(next[0]!));
  });

  test('claims at the same time never get the same item', async (context) => {
    const store = await openNew(engine, context);
    await schedule(
      store,
      ...Array.from({ length: 60 }, (_, i) => ({ id: `w${i}`, dueAt: i, kind: i % 2 ? 'k' : 'k2' })),
    );
    const claimed: string[] = [];
    while (claimed.length < 60) {
      const batches = await Promise.all(Array.from({ length: 6 }, () => claim(store, 100, 5, ['k', 'k2'])));
      claimed.push(...batches.flatMap(ids));
    }
    expect(new Set(claimed).size).toBe(60);
    expect(await claim(store, 100)).toEqual([]);
  });

  test('many items of one kind do not stand in the way of another', async (context) => {
    const store = await openNew(engine, context);
    await schedule(store, ...Array.from({ length: 500 }, (_, i) => ({ dueAt: i, kind: 'many' })), {
      id: 'one',
      dueAt: 900,
    });
    expect(ids(await claim(store, 1000, 5))).toEqual(['one']);
    expect(ids(await claim(store, 1000, 500, ['many']))).toHaveLength(500);
  });

  test('a claim takes no more of a kind than there is room for, and the earliest of each', async (context) => {
    const store = await openNew(engine, context);
    await schedule(
      store,
      ...Array.from({ length: 5 }, (_, i) => ({ id: `k${i}`, dueAt: i })),
      ...Array.from({ length: 5 }, (_, i) => ({ id: `w${i}`, dueAt: i, kind: 'wide' })),
    );
    const claimed = await store.work.claim({
      kinds: ['k', 'wide'],
      rooms: [1, 3],
      now: 10,
      limit: 4,
      leaseMs: LONG_MS,
    });
    expect(ids(claimed).sort()).toEqual(['k0', 'w0', 'w1', 'w2']);
  });

  wakeTests(engine);

  if (!engine.durable || engine.shared) return;

  test('leases do not outlive the process that holds the file', async (context) => {
    const place = await engine.place(context);
    const before = await place.open();
    await schedule(before, { id: 'w', dueAt: 1 });
    const [item] = await claim(before, 1);
    await before.close();
    const after = await place.open();
    expect(await claim(after, 1)).toMatchObject([{ id: 'w', attempts: 1 }]);
    await expect(after.transact((tx) => tx.complete(item!))).rejects.toMatchObject({ code: 'LEASE_LOST' });
  });
}
