import { expect, test } from 'vitest';
import { collection, text } from '../../../../src/kernel/store/collection.ts';
import type { Collection, StatePart, Store } from '../../../../src/kernel/store/types.ts';
import { collections, counters, type Engine, openNew, secrets, settings, type Thing, things } from './engines.ts';

const CHANGE = { source: 'test', kind: 'write', subject: 'a', outcome: 'Succeeded', at: 1, data: { n: 1 } } as const;

export async function captured(store: Store, first: readonly Collection<never>[] = []): Promise<StatePart[]> {
  return store.capture(first, async (parts) => {
    const all: StatePart[] = [];
    for await (const part of parts) all.push(part);
    return all;
  });
}

export const restored = (store: Store, parts: readonly StatePart[]): Promise<void> =>
  store.wipe(async (_tx, load) => {
    for (const part of parts) await load(part);
  });

function rowsOf(parts: readonly StatePart[], of: StatePart['of'], name?: string): unknown[] {
  return parts.flatMap((part) =>
    part.of === of && (part.of !== 'documents' || part.collection === name) ? [...part.rows] : [],
  );
}

export function snapshotTests(engine: Engine): void {
  test('a loaded capture equals the original: documents with their etags, work, change records', async (context) => {
    const store = await openNew(engine, context);
    const put = await store.transact(async (tx) => {
      await tx.put(settings, 's', { value: 'ä\u2028"\\' });
      await tx.put(secrets, 'own', { value: 'before' });
      await tx.change(CHANGE);
      await tx.schedule({ id: 'later', kind: 'k', dueAt: 20, payload: { a: 1 } });
      await tx.schedule({ id: 'sooner', kind: 'k', dueAt: 10, payload: null });
      return tx.put(things, 'a', { name: 'x', size: 1.5, on: true, tags: ['t', 'u'] });
    });
    const changes = await store.changesAfter(undefined, 10);
    const parts = await captured(store);
    expect(rowsOf(parts, 'documents', secrets.name)).toEqual([]);

    await store.transact(async (tx) => {
      await tx.put(things, 'a', { name: 'y' });
      await tx.put(things, 'b', { tags: ['t'] });
      await tx.delete(settings, 's');
      await tx.put(secrets, 'own', { value: 'after' });
      await tx.cancel('later');
      await tx.schedule({ id: 'new', kind: 'k', dueAt: 1, payload: null });
      await tx.change({ ...CHANGE, subject: 'undone' });
    });
    const cursor = await store.newestCursor();
    await store.cached(settings, 's');
    await restored(store, parts);

    expect(await store.get(things, 'a')).toEqual(put);
    expect(await store.count(things)).toBe(1);
    expect(await store.count(things, { filter: { op: 'has', field: 'tags', value: 't' } })).toBe(1);
    expect(await store.count(things, { filter: { op: 'gt', field: 'size', value: 1 } })).toBe(1);
    expect((await store.cached(settings, 's'))?.value.value).toBe('ä\u2028"\\');
    expect((await store.get(secrets, 'own'))?.value.value).toBe('after');
    const claimed = await store.work.claim({ kinds: ['k'], now: 100, limit: 10, leaseMs: 1000 });
    expect(claimed.map(({ id, dueAt, payload }) => [id, dueAt, payload])).toEqual([
      ['sooner', 10, null],
      ['later', 20, { a: 1 }],
    ]);
    expect(await store.changesAfter(undefined, 10)).toEqual(changes);
    await store.transact((tx) => tx.change({ ...CHANGE, subject: 'next' }));
    expect((await store.changesAfter(cursor, 10)).map((change) => change.subject)).toEqual(['next']);
  });

  test('leased work is free after a load, and the holder has lost it', async (context) => {
    const store = await openNew(engine, context);
    await store.transact((tx) => tx.schedule({ id: 'w', kind: 'k', dueAt: 1, payload: null }));
    const claim = () => store.work.claim({ kinds: ['k'], now: 1, limit: 1, leaseMs: 60_000 });
    const [held] = await claim();
    const parts = await captured(store);
    expect(rowsOf(parts, 'work')).toMatchObject([{ id: 'w', state: 0, attempts: 0 }]);
    await restored(store, parts);
    await expect(store.transact((tx) => tx.complete(held!))).rejects.toMatchObject({ code: 'LEASE_LOST' });
    expect(await store.work.renew([held!], 1000)).toEqual([]);
    expect((await claim())[0]).toMatchObject({ id: 'w', attempts: 0 });
  });

  test('the scheduling order continues after work was loaded', async (context) => {
    const store = await openNew(engine, context);
    const schedule = (id: string) => store.transact((tx) => tx.schedule({ id, kind: 'k', dueAt: 1, payload: null }));
    for (const id of ['z', 'y', 'x']) await schedule(id);
    const parts = await captured(store);
    await store.wipe(async () => {});
    await restored(store, parts);
    await schedule('a');
    const claimed = await store.work.claim({ kinds: ['k'], now: 1, limit: 10, leaseMs: 1000 });
    expect(claimed.map((item) => item.id)).toEqual(['z', 'y', 'x', 'a']);
  });

  test('change records from a longer feed put the numbers on, so that none is ever given twice', async (context) => {
    const store = await openNew(engine, context);
    const far = 5_000_000;
    await restored(store, [{ of: 'changes', rows: [[far, 'test', 'write', 'far', 'Succeeded', 1, 'null']] }]);
    await store.transact((tx) => tx.change({ ...CHANGE, subject: 'next' }));
    const all = await store.changesAfter(undefined, 10);
    expect(all.map((change) => [change.subject, Number(change.cursor)])).toEqual([
      ['far', far],
      ['next', far + 1],
    ]);
  });

  test('a capture is consistent: it contains concurrent transactions completely or not at all', async (context) => {
    const store = await openNew(engine, context);
    const pairs = 1500;
    const note = 'x'.repeat(300);
    const keys = Array.from({ length: pairs }, (_, i) => `p${i}`);
    await store.transact(async (tx) => {
      await tx.putAll(
        counters,
        keys.map((key) => [key, { count: 0 }]),
      );
      await tx.putAll(
        things,
        keys.map((key) => [key, { size: 0, note }]),
      );
    });
    let over = false;
    let written = 0;
    const write = async (writer: number): Promise<void> => {
      for (let round = 1; !over; round++) {
        const key = `p${(writer + round * 7) % pairs}`;
        await store.transact(async (tx) => {
          const count = ((await tx.get(counters, key))?.value.count ?? 0) + 1;
          await tx.put(counters, key, { count });
          await tx.put(things, key, { size: count, note });
          await tx.schedule({ id: `${key}/${count}`, kind: 'k', dueAt: 1, payload: null });
          await tx.change({ ...CHANGE, subject: `${key}/${count}` });
        });
        written += 1;
      }
    };
    const writers = Array.from({ length: 8 }, (_, i) => write(i));
    await expect.poll(() => written).toBeGreaterThan(20);
    for (let round = 0; round < 3; round++) {
      const before = written;
      const parts = await captured(store);
      const counted = new Map<string, number>();
      for (const [key, , body] of rowsOf(parts, 'documents', counters.name) as [string, string, string][]) {
        counted.set(key, JSON.parse(body).count);
      }
      const sized = new Map<string, number>();
      for (const [key, , body] of rowsOf(parts, 'documents', things.name) as [string, string, string][]) {
        sized.set(key, JSON.parse(body).size);
      }
      expect(sized).toEqual(counted);
      const total = [...counted.values()].reduce((a, b) => a + b, 0);
      expect(total).toBeGreaterThanOrEqual(before);
      expect(rowsOf(parts, 'work')).toHaveLength(total);
      expect(rowsOf(parts, 'changes')).toHaveLength(total);
    }
    over = true;
    await Promise.all(writers);
  });

  test('one can write while a capture runs, and what it wrote stays', async (context) => {
    const store = await openNew(engine, context);
    await store.transact((tx) => tx.put(things, 'a', {}));
    await store.capture([], async (parts, write) => {
      for await (const _ of parts) await write((tx) => tx.put(secrets, 'note', { value: 'written meanwhile' }));
    });
    expect((await store.get(secrets, 'note'))?.value.value).toBe('written meanwhile');
  });

  test('a capture that is broken off leaves nothing open', async (context) => {
    const store = await openNew(engine, context);
    const documents = Array.from({ length: 3000 }, (_, i) => [`k${i}`, { note: 'x'.repeat(100) }] as const);
    await store.transact((tx) => tx.putAll(things, documents));
    for (let round = 0; round < 15; round++) {
      const broken = store.capture([], async (parts) => {
        for await (const _ of parts) throw new Error('enough');
      });
      await expect(broken).rejects.toThrow('enough');
    }
    await store.transact((tx) => tx.put(things, 'after', {}));
    expect(await store.count(things)).toBe(3001);
  });

  test('parts are bounded, however large the documents are', async (context) => {
    const store = await openNew(engine, context);
    const note = 'n'.repeat(400_000);
    await store.transact(async (tx) => {
      for (let i = 0; i < 60; i++) await tx.put(things, `k${i}`, { note: i < 30 ? 'small' : note });
    });
    const longest = await store.capture([], async (parts) => {
      let most = 0;
      for await (const part of parts) most = Math.max(most, JSON.stringify(part).length);
      return most;
    });
    expect(longest).toBeLessThan(engine.shared ? 25_000_000 : 1_000_000);
  });

  test('a load that fails takes everything back, whatever it had put there', async (context) => {
    const store = await openNew(engine, context);
    const put = await store.transact((tx) => tx.put(things, 'a', { name: 'kept' }));
    const attempt = (parts: readonly StatePart[]) => restored(store, parts);
    const good: StatePart = { of: 'documents', collection: things.name, rows: [['b', 'e', '{}']] };
    const bad = (collectionName: string, body = '{}'): StatePart => ({
      of: 'documents',
      collection: collectionName,
      rows: [['k', 'e', body]],
    });
    await expect(attempt([good, bad('test.nowhere')])).rejects.toMatchObject({ code: 'UNFIT' });
    await expect(attempt([good, bad(secrets.name)])).rejects.toMatchObject({ code: 'UNFIT' });
    await expect(attempt([good, bad(things.name, 'null')])).rejects.toMatchObject({ code: 'UNFIT' });
    await expect(attempt([good, bad(things.name, 'no json')])).rejects.toMatchObject({ code: 'UNFIT' });
    expect(await store.get(things, 'a')).toEqual(put);
    expect(await store.count(things)).toBe(1);
    expect(await store.count(secrets)).toBe(0);
  });

  test('the collections of the declaration decide how documents are found, not those of the capture', async (context) => {
    const store = await openNew(engine, context);
    await store.transact((tx) => tx.put(things, 'a', { name: 'x', tags: ['t'] }));
    const parts = await captured(store);
    const changed = collection<Thing>('test.things', {
      fields: { label: text((thing) => `label ${thing.name}`) },
      indexes: [['label']],
    });
    const other = await (await engine.place(context)).open([
      changed,
      ...collections.filter((each) => each.name !== 'test.things'),
    ]);
    await restored(other, parts);
    expect(await other.count(changed, { filter: { op: 'eq', field: 'label', value: 'label x' } })).toBe(1);
  });

  test('a column of due work that one side does not have is left out', async (context) => {
    const store = await openNew(engine, context);
    const row = { id: 'w', seq: 1, kind: 'k', due_at: 1, payload: '7', attempts: 3, state: 2, reason: 'why' };
    await restored(store, [{ of: 'work', rows: [{ ...row, of_a_later_release: 'x' }] }]);
    expect(await store.work.stats()).toMatchObject({ waiting: 0, parked: 1 });
    expect(rowsOf(await captured(store), 'work')).toMatchObject([row]);
  });
}
