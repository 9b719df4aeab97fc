import { expect, test } from 'vitest';
import { collection } from '../../../../src/kernel/store/collection.ts';
import type { Change, Tx } from '../../../../src/kernel/store/types.ts';
import { counters, type Engine, openNew, settings, type Thing, things } from './engines.ts';

const CHANGE = { source: 'test', kind: 'write', subject: 'a', outcome: 'Succeeded', at: 1, data: null } as const;

export function documentTests(engine: Engine): void {
  test('a document comes back as it was put', async (context) => {
    const store = await openNew(engine, context);
    const value = { name: 'é "quoted" \u0000 \ud800 🫙', size: 1e-300, on: false, tags: ['x', 'x', ''], note: '' };
    const put = await store.transact((tx) => tx.put(things, '/Some/Key', value));
    expect(await store.get(things, '/Some/Key')).toEqual({ key: '/Some/Key', etag: put.etag, value });
    expect(await store.get(things, '/some/key')).toBeUndefined();
  });

  test('every write gives another etag, also after delete and create', async (context) => {
    const store = await openNew(engine, context);
    const etags = new Set<string>();
    for (let i = 0; i < 5; i++) {
      etags.add((await store.transact((tx) => tx.put(things, 'a', { name: 'same' }))).etag);
      etags.add((await store.transact((tx) => tx.put(things, 'a', { name: 'same' }))).etag);
      await store.transact((tx) => tx.delete(things, 'a'));
    }
    expect(etags.size).toBe(10);
  });

  test('a write with a condition happens only when it holds', async (context) => {
    const store = await openNew(engine, context);
    const failed = { code: 'PRECONDITION_FAILED' };
    const put = (condition: Parameters<Tx['put']>[3]) =>
      store.transact((tx) => tx.put(things, 'a', { name: 'v' }, condition));
    await expect(put({ ifMatch: '*' })).rejects.toMatchObject(failed);
    await expect(put({ ifMatch: 'x' })).rejects.toMatchObject(failed);
    const { etag } = await put({ ifNoneMatch: '*' });
    await expect(put({ ifNoneMatch: '*' })).rejects.toMatchObject(failed);
    await expect(put({ ifMatch: 'x' })).rejects.toMatchObject(failed);
    const second = await put({ ifMatch: etag });
    await expect(put({ ifMatch: etag })).rejects.toMatchObject(failed);
    await put({ ifMatch: '*' });
    const remove = (ifMatch?: string) => store.transact((tx) => tx.delete(things, 'a', { ifMatch }));
    await expect(remove(second.etag)).rejects.toMatchObject(failed);
    expect(await remove('*')).toBe(true);
    await expect(remove('*')).rejects.toMatchObject(failed);
    expect(await remove()).toBe(false);
  });

  test('many documents are put at once and replace existing ones', async (context) => {
    const store = await openNew(engine, context);
    const before = await store.transact((tx) => tx.put(things, 'k0007', { name: 'before', tags: ['old', 'both'] }));
    await store.transact((tx) => tx.put(things, 'other', { name: 'other', tags: ['old'] }));
    const many = Array.from({ length: 1201 }, (_, i): [string, Thing] => [
      `k${String(i).padStart(4, '0')}`,
      {
        name: `é "${i}" \u0000`,
        size: i / 3,
        on: i % 2 === 0,
        tags: i % 3 === 0 ? [] : ['new', 'both'],
        note: `{${i}}`,
      },
    ]);
    await store.transact(async (tx) => {
      await tx.putAll(things, new Map(many));
      expect((await tx.get(things, 'k1200'))?.value).toEqual(many[1200]?.[1]);
    });
    const { items } = await store.query(things, { prefix: 'k', limit: 2000 });
    expect(items.map(({ key, value }) => [key, value])).toEqual(many);
    expect(new Set(items.map(({ etag }) => etag)).size).toBe(many.length);
    expect(items[7]?.etag).not.toBe(before.etag);
    const having = (value: string) => store.count(things, { filter: { op: 'has', field: 'tags', value } });
    expect([await having('old'), await having('new'), await having('both')]).toEqual([1, 800, 800]);
    expect(await store.count(things, { filter: { op: 'gt', field: 'size', value: 399.5 } })).toBe(2);
  });

  test('large documents are put at once, more of them than one statement takes', async (context) => {
    const store = await openNew(engine, context);
    const note = 'x'.repeat(900_000);
    const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((key): [string, Thing] => [key, { note: note + key, tags: [key] }]);
    await store.transact((tx) => tx.putAll(things, many));
    const { items } = await store.query(things, { limit: 9 });
    expect(items.map(({ key, value }) => [key, value.note?.length, value.note?.at(-1)])).toEqual(
      many.map(([key]) => [key, note.length + 1, key]),
    );
    expect(await store.count(things, { filter: { op: 'hasAny', field: 'tags', values: ['a', 'f'] } })).toBe(2);
  });

  test('of documents that are put at once under one key the last stays, and none at all is nothing', async (context) => {
    const store = await openNew(engine, context);
    await store.transact(async (tx) => {
      await tx.putAll(counters, []);
      await tx.putAll(
        counters,
        [1, 2, 3].map((count) => ['a', { count }]),
      );
    });
    expect(await store.query(counters, { limit: 9 })).toMatchObject({ items: [{ key: 'a', value: { count: 3 } }] });
  });

  test('a document that was found missing before can be put with many others', async (context) => {
    const store = await openNew(engine, context);
    await store.transact(async (tx) => {
      expect(await tx.get(counters, 'b')).toBeUndefined();
      await tx.putAll(
        counters,
        ['a', 'b', 'c'].map((key) => [key, { count: 1 }]),
      );
      await tx.putAll(counters, [['b', { count: 2 }]]);
    });
    expect((await store.query(counters, { limit: 9 })).items.map(({ value }) => value.count)).toEqual([1, 2, 1]);
  });

  test('transactions that put the same documents at once, in whatever order, lose nothing of each other', async (context) => {
    const store = await openNew(engine, context);
    const keys = ['a', 'b', 'c', 'd', 'e'];
    const add = (writer: number) =>
      store.transact(async (tx) => {
        // The document does not exist when the first writers read it.
        const count = ((await tx.get(counters, 'sum'))?.value.count ?? 0) + 1;
        const own = writer % 2 === 0 ? keys : keys.toReversed();
        await tx.putAll(counters, [
          ...own.map((key): [string, { count: number }] => [key, { count }]),
          ['sum', { count }],
        ]);
      });
    await Promise.all(Array.from({ length: 16 }, (_, writer) => add(writer)));
    const { items } = await store.query(counters, { limit: 9 });
    expect(items.map(({ key, value }) => [key, value.count])).toEqual([...keys, 'sum'].map((key) => [key, 16]));
  });

  test('many documents put at once are visible to readers of the cache', async (context) => {
    const store = await openNew(engine, context);
    await store.transact((tx) => tx.put(settings, 'a', { value: 'before' }));
    expect((await store.cached(settings, 'a'))?.value.value).toBe('before');
    await store.transact((tx) =>
      tx.putAll(
        settings,
        ['a', 'b'].map((key) => [key, { value: 'after' }]),
      ),
    );
    expect((await store.cached(settings, 'a'))?.value.value).toBe('after');
  });

  test('a body that throws leaves nothing behind, and does not affect others in the same commit', async (context) => {
    const store = await openNew(engine, context);
    const bodies = Array.from({ length: 9 }, (_, i) =>
      store.transact(async (tx) => {
        await tx.put(things, `k${i}`, { tags: ['t'] });
        await tx.change({ ...CHANGE, subject: `k${i}` });
        await tx.schedule({ id: `w${i}`, kind: 'k', dueAt: 1, payload: null });
        if (i % 3 === 1) throw new Error(`no ${i}`);
        return i;
      }),
    );
    const outcomes = await Promise.allSettled(bodies);
    expect(outcomes.map((outcome) => outcome.status === 'fulfilled')).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7, 8].map((i) => i % 3 !== 1),
    );
    const expected = ['k0', 'k2', 'k3', 'k5', 'k6', 'k8'];
    const page = await store.query(things, { filter: { op: 'has', field: 'tags', value: 't' }, limit: 20 });
    expect(page.items.map((item) => item.key)).toEqual(expected);
    const subjects = (await store.changesAfter(undefined, 20)).map((change) => change.subject);
    expect(subjects.sort()).toEqual(expected);
    expect((await store.work.stats()).waiting).toBe(expected.length);
  });

  test('a body may catch a refused write and go on', async (context) => {
    const store = await openNew(engine, context);
    await store.transact(async (tx) => {
      await tx.put(things, 'a', { name: 'first' });
      await expect(tx.put(things, 'a', { name: 'second' }, { ifNoneMatch: '*' })).rejects.toThrow(/'a' of test.things/);
      await tx.put(things, 'b', {});
    });
    expect(await store.count(things)).toBe(2);
    expect((await store.get(things, 'a'))?.value).toEqual({ name: 'first' });
  });

  test('a transaction sees its own writes, and others do not before it ends', async (context) => {
    const store = await openNew(engine, context);
    let outside: Promise<[number, Change[]]> | undefined;
    await store.transact(async (tx) => {
      await tx.put(things, 'a', { name: 'new', tags: ['t'] });
      expect((await tx.get(things, 'a'))?.value.name).toBe('new');
      expect(await tx.count(things, { filter: { op: 'has', field: 'tags', value: 't' } })).toBe(1);
      // Each may be answered before or after the commit.
      outside = Promise.all([store.count(things), store.changesAfter(undefined, 5)]);
      await tx.get(things, 'a');
      await tx.put(things, 'b', {});
      await tx.change({ ...CHANGE, subject: 'a' });
      await tx.change({ ...CHANGE, subject: 'b' });
    });
    const [seen, records] = (await outside)!;
    expect([0, 2], 'documents of half a transaction').toContain(seen);
    // A page of the feed may end within a transaction, as it does at its limit, but never begins within one.
    expect(records.map((each) => each.subject)).toEqual(['a', 'b'].slice(0, records.length));
    expect(await store.count(things)).toBe(2);
  });

  test('concurrent changes of one document are all counted', async (context) => {
    const store = await openNew(engine, context);
    const increment = (tx: Tx) =>
      tx.get(counters, 'c').then((found) => tx.put(counters, 'c', { count: (found?.value.count ?? 0) + 1 }));
    await Promise.all(Array.from({ length: 60 }, () => store.transact(increment)));
    expect((await store.get(counters, 'c'))?.value).toEqual({ count: 60 });
  });

  test('of concurrent creations of one document one succeeds', async (context) => {
    const store = await openNew(engine, context);
    const create = (i: number) => store.transact((tx) => tx.put(counters, 'c', { count: i }, { ifNoneMatch: '*' }));
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => create(i)));
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(19);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'PRECONDITION_FAILED' });
  });

  test('a rule over many documents holds under a lock', async (context) => {
    const store = await openNew(engine, context);
    const createIfRoom = (i: number) =>
      store.transact(async (tx) => {
        await tx.lock('quota');
        if ((await tx.count(things)) >= 5) return false;
        await tx.put(things, `k${i}`, {});
        return true;
      });
    const created = await Promise.all(Array.from({ length: 30 }, (_, i) => createIfRoom(i)));
    expect(created.filter(Boolean)).toHaveLength(5);
    expect(await store.count(things)).toBe(5);
  });

  test('transactions that take documents in opposite order both succeed', async (context) => {
    const store = await openNew(engine, context);
    const add = async (tx: Tx, key: string) => {
      const found = await tx.get(counters, key);
      await tx.put(counters, key, { count: (found?.value.count ?? 0) + 1 });
    };
    const both = (first: string, second: string) =>
      store.transact(async (tx) => {
        await add(tx, first);
        await add(tx, second);
      });
    await both('x', 'y');
    await Promise.all(Array.from({ length: 10 }, (_, i) => (i % 2 ? both('x', 'y') : both('y', 'x'))));
    expect((await store.get(counters, 'x'))?.value.count).toBe(11);
    expect((await store.get(counters, 'y'))?.value.count).toBe(11);
  });

  test('a transaction that is over takes no more calls', async (context) => {
    const store = await openNew(engine, context);
    const kept = await store.transact(async (tx) => tx);
    const over = { code: 'CLOSED', message: 'the transaction is over' };
    await expect(kept.put(things, 'late', {})).rejects.toMatchObject(over);
    await expect(kept.get(things, 'late')).rejects.toMatchObject(over);
    await expect(kept.schedule({ kind: 'k', dueAt: 0, payload: null })).rejects.toMatchObject(over);
    expect(await store.count(things)).toBe(0);
  });

  test('a collection that was not declared is refused by name', async (context) => {
    const store = await openNew(engine, context);
    const other = collection('test.other');
    await expect(store.transact((tx) => tx.put(other, 'a', {}))).rejects.toThrow(
      "collection 'test.other' is not declared",
    );
    await expect(store.get(other, 'a')).rejects.toThrow("collection 'test.other' is not declared");
  });
}
