import { expect, test } from 'vitest';
import { boolean, collection, number, set, text } from '../../../../src/kernel/store/collection.ts';
import type { CommitNotice } from '../../../../src/kernel/store/types.ts';
import { collections, counters, type Engine, openNew, secrets, settings, type Thing, things } from './engines.ts';

const CHANGE = { source: 'test', kind: 'write', subject: 'a', outcome: 'Succeeded', at: 1, data: null } as const;

export function lifeTests(engine: Engine): void {
  test('a store reports whether there are other writers', async (context) => {
    const store = await openNew(engine, context);
    expect(store.hasOtherWriters).toBe(engine.shared);
  });

  test('a cached read sees a write as soon as its caller is answered', async (context) => {
    const store = await openNew(engine, context);
    expect(await store.cached(settings, 'a')).toBeUndefined();
    for (const value of ['1', '2', '3']) {
      const put = await store.transact((tx) => tx.put(settings, 'a', { value }));
      expect(await store.cached(settings, 'a')).toEqual(put);
      expect(await store.cached(settings, 'a')).toBe(await store.cached(settings, 'a'));
    }
    await store.transact((tx) => tx.delete(settings, 'a'));
    expect(await store.cached(settings, 'a')).toBeUndefined();
  });

  test('a cached document cannot be changed by one reader for the others', async (context) => {
    const store = await openNew(engine, context);
    await store.transact((tx) => tx.put(settings, 'a', { value: 'x' }));
    const found = await store.cached(settings, 'a');
    expect(() => Object.assign(found!.value, { value: 'y' })).toThrow(TypeError);
  });

  test('only collections declared as cached can be read from the cache', async (context) => {
    const store = await openNew(engine, context);
    await expect((async () => store.cached(things, 'a'))()).rejects.toThrow(
      "collection 'test.things' is not declared as cached",
    );
  });

  test('listeners and callbacks are notified of commits, not of failures', async (context) => {
    const store = await openNew(engine, context);
    const news: CommitNotice[] = [];
    let called = 0;
    const stop = store.onCommit((each) => news.push(each));
    const failing = store.transact(async (tx) => {
      tx.afterCommit(() => called++);
      await tx.change(CHANGE);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await store.transact((tx) => tx.put(things, 'quiet', {}));
    expect([news, called]).toEqual([[], 0]);
    await store.transact(async (tx) => {
      tx.afterCommit(() => called++);
      await tx.change(CHANGE);
    });
    await store.transact((tx) => tx.schedule({ kind: 'k', dueAt: 1, payload: null }));
    await store.transact((tx) => tx.put(settings, 'a', { value: 'x' }));
    expect(called).toBe(1);
    expect(news).toEqual([
      { changes: true, work: false, collections: [] },
      { changes: false, work: true, collections: [] },
      { changes: false, work: false, collections: ['test.settings'] },
    ]);
    stop();
    await store.transact((tx) => tx.change(CHANGE));
    expect(news).toHaveLength(3);
  });

  test('wipe empties all but the permanent, seeds in the same transaction and keeps old cursors behind', async (context) => {
    const store = await openNew(engine, context);
    await store.transact(async (tx) => {
      await tx.put(things, 'a', { tags: ['t'] });
      await tx.put(settings, 'a', { value: 'old' });
      await tx.put(secrets, 'a', { value: 'kept' });
      await tx.change(CHANGE);
      await tx.schedule({ id: 'w', kind: 'k', dueAt: 1, payload: null });
    });
    await store.cached(settings, 'a');
    const cursor = await store.newestCursor();
    await expect(store.wipe(() => Promise.reject(new Error('bad seed')))).rejects.toThrow('bad seed');
    expect(await store.count(things)).toBe(1);
    await store.wipe(async (tx) => {
      expect(await tx.get(things, 'a')).toBeUndefined();
      await tx.put(settings, 'a', { value: 'seeded' });
      await tx.change({ ...CHANGE, subject: 'seed' });
    });
    expect(await store.count(things)).toBe(0);
    expect(await store.count(things, { filter: { op: 'has', field: 'tags', value: 't' } })).toBe(0);
    expect((await store.cached(settings, 'a'))?.value.value).toBe('seeded');
    expect((await store.get(secrets, 'a'))?.value.value).toBe('kept');
    expect(await store.work.stats()).toMatchObject({ waiting: 0, oldestDueAt: undefined });
    expect((await store.changesAfter(cursor, 10)).map((change) => change.subject)).toEqual(['seed']);
    expect((await store.changesAfter(undefined, 10)).map((change) => change.subject)).toEqual(['seed']);
  });

  test('closing waits for running calls and refuses later ones', async (context) => {
    const store = await openNew(engine, context);
    const begun = Array.from({ length: 10 }, (_, i) => store.transact((tx) => tx.put(things, `k${i}`, {})));
    const closed = store.close();
    const refused = { code: 'CLOSED', message: 'the store is closed' };
    await expect(store.transact((tx) => tx.put(things, 'late', {}))).rejects.toMatchObject(refused);
    await expect(store.get(things, 'k1')).rejects.toMatchObject(refused);
    expect(await Promise.all(begun)).toHaveLength(10);
    await closed;
    await store.close();
  });

  if (!engine.durable) return;

  test('everything is there again after closing and opening', async (context) => {
    const place = await engine.place(context);
    const before = await place.open();
    const put = await before.transact(async (tx) => {
      await tx.change(CHANGE);
      await tx.schedule({ id: 'w', kind: 'k', dueAt: 1, payload: null });
      return tx.put(things, 'a', { name: 'x', tags: ['t'] });
    });
    const changes = await before.changesAfter(undefined, 10);
    await before.close();
    const after = await place.open();
    expect(await after.get(things, 'a')).toEqual(put);
    expect(await after.changesAfter(undefined, 10)).toEqual(changes);
    expect(await after.work.nextDue()).toBe(1);
  });

  test('a collection whose declaration has changed is rebuilt from its documents', async (context) => {
    const place = await engine.place(context);
    const before = await place.open();
    const documents = Array.from(
      { length: 1500 },
      (_, i): Thing => ({ name: `n${i % 7}`, size: i, on: i % 2 === 0, tags: [`t${i % 3}`] }),
    );
    const etags = await before.transact(async (tx) => {
      const stored = [];
      for (const [i, each] of documents.entries()) stored.push((await tx.put(things, `k${i}`, each)).etag);
      await tx.put(counters, 'c', { count: 1 });
      return stored;
    });
    await before.close();
    const changed = collection<Thing>('test.things', {
      fields: {
        size: text((thing) => String(thing.size)),
        label: text((thing) => thing.name),
        half: number((thing) => (thing.size ?? 0) / 2),
        off: boolean((thing) => !thing.on),
        marks: set((thing) => [...(thing.tags ?? []), 'all']),
      },
      indexes: [['label', 'half']],
    });
    const declared = [changed, ...collections.filter((each) => each.name !== 'test.things')];
    const after = await place.open(declared);
    expect((await after.get(changed, 'k3'))?.etag).toBe(etags[3]);
    expect(await after.count(changed, { filter: { op: 'eq', field: 'label', value: 'n3' } })).toBe(214);
    expect(await after.count(changed, { filter: { op: 'gt', field: 'half', value: 700 } })).toBe(99);
    expect(await after.count(changed, { filter: { op: 'eq', field: 'size', value: '12' } })).toBe(1);
    expect(await after.count(changed, { filter: { op: 'has', field: 'marks', value: 'all' } })).toBe(1500);
    await after.transact((tx) => tx.put(changed, 'new', { name: 'n3' }));
    await after.close();
    const again = await place.open();
    expect(await again.count(things, { filter: { op: 'has', field: 'tags', value: 't1' } })).toBe(500);
    expect(await again.count(things, { filter: { op: 'eq', field: 'name', value: 'n3' } })).toBe(215);
    expect((await again.get(counters, 'c'))?.value).toEqual({ count: 1 });
  });

  test('a database of a later release is refused and not changed', async (context) => {
    const place = await engine.place(context);
    const store = await place.open();
    await store.close();
    await place.sql(
      engine.name === 'PostgreSQL'
        ? `UPDATE cloudjar.meta SET value = '999' WHERE name = 'version'`
        : 'PRAGMA user_version = 999',
    );
    await expect(place.open()).rejects.toMatchObject({
      code: 'NEWER_VERSION',
      message: expect.stringMatching(/schema version 999, written by a later release; this one knows up to \d+$/),
    });
  });

  test('foreign tables are refused and not changed', async (context) => {
    const place = await engine.place(context);
    if (engine.name === 'PostgreSQL') await place.sql('CREATE SCHEMA cloudjar');
    await place.sql(
      engine.name === 'PostgreSQL' ? 'CREATE TABLE cloudjar.theirs (a int)' : 'CREATE TABLE theirs (a int)',
    );
    await expect(place.open()).rejects.toMatchObject({ code: 'FOREIGN_FOLDER' });
  });
}
