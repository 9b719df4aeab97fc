import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { collection, text } from '../../../src/kernel/store/collection.ts';
import type { Store } from '../../../src/kernel/store/types.ts';
import { postgres } from './contract/engines.ts';
import { before, type PersonShared, shared } from './people.ts';

const OLD = '0.1.0';
const NEW = '0.2.0';

const withInitial = async (store: Store, initial: string): Promise<string[]> => {
  const filter = { op: 'eq', field: 'initial', value: initial } as const;
  return (await store.query(shared, { filter, limit: 10 })).items.map(({ key }) => key);
};
const tagged = async (store: Store, tag: string): Promise<string[]> =>
  (await store.query(shared, { filter: { op: 'has', field: 'tags', value: tag }, limit: 10 })).items.map(
    ({ key }) => key,
  );

async function eventually(look: () => Promise<unknown>, expected: unknown): Promise<void> {
  for (let tries = 0; tries < 300 && JSON.stringify(await look()) !== JSON.stringify(expected); tries++)
    await pause(50);
  expect(await look()).toEqual(expected);
}

describe('nodes of two releases on one PostgreSQL database', () => {
  test("read each other's writes, and find them by fields that only one of them knows", async (context) => {
    const place = await postgres.place(context);
    const old = await place.open([before], OLD);
    await old.transact((tx) => tx.put(before, 'a', { name: 'Ada' }));
    const fresh = await place.open([shared], NEW);
    expect(await withInitial(fresh, 'A')).toEqual(['a']);

    // The old node continues: it reads, creates and changes documents, including those of the new node.
    await fresh.transact((tx) => tx.put(shared, 'b', { name: 'Bo', initial: 'B', tags: ['red'] }));
    expect((await old.get(before, 'b'))?.value).toMatchObject({ name: 'Bo' });
    await old.transact(async (tx) => {
      await tx.put(before, 'c', { name: 'Cy' });
      const found = (await tx.get(before, 'b'))!;
      await tx.put(before, 'b', { ...found.value, name: 'Dot' }, { ifMatch: found.etag });
    });
    expect((await fresh.get(shared, 'b'))?.value).toEqual({ name: 'Dot', initial: 'D', tags: ['upgraded'] });
    await eventually(() => withInitial(fresh, 'D'), ['b']);
    await eventually(() => tagged(fresh, 'upgraded'), ['a', 'b', 'c']);
    expect(await withInitial(fresh, 'B')).toEqual([]);
    expect(await tagged(fresh, 'red')).toEqual([]);
    expect(await place.sql('SELECT * FROM cloudjar.stale')).toEqual([]);
  });

  test('a restarted node of the old release does not change the tables of the new one', async (context) => {
    const place = await postgres.place(context);
    await (await place.open([before], OLD)).close();
    const fresh = await place.open([shared], NEW);
    await fresh.transact((tx) => tx.put(shared, 'a', { name: 'Ada', initial: 'A', tags: ['red'] }));
    const meta = await place.sql('SELECT * FROM cloudjar.meta ORDER BY name');
    const old = await place.open([before], OLD);
    expect(await place.sql('SELECT * FROM cloudjar.meta ORDER BY name')).toEqual(meta);
    const filter = { op: 'eq', field: 'name', value: 'Ada' } as const;
    expect((await old.query(before, { filter, limit: 10 })).items.map(({ key }) => key)).toEqual(['a']);
    expect(await withInitial(fresh, 'A')).toEqual(['a']);
    expect(await tagged(fresh, 'red')).toEqual(['a']);
  });

  test('writes of old nodes without a running new node are found by the next new node', async (context) => {
    const place = await postgres.place(context);
    await (await place.open([shared], NEW)).close();
    const old = await place.open([before], OLD);
    await old.transact((tx) => tx.put(before, 'a', { name: 'Ada' }));
    await old.transact((tx) => tx.put(before, 'gone', { name: 'Bo' }));
    await old.transact((tx) => tx.delete(before, 'gone'));
    await old.close();
    const fresh = await place.open([shared], NEW);
    expect(await withInitial(fresh, 'A')).toEqual(['a']);
    expect(await place.sql('SELECT * FROM cloudjar.stale')).toEqual([]);
  });

  test('an old release is refused where the new one has left out a field that it needs', async (context) => {
    const place = await postgres.place(context);
    await (await place.open([before], OLD)).close();
    const without = collection<PersonShared>('test.people', {
      cached: true,
      fields: { initial: text((person) => person.initial) },
      version: 2,
      release: NEW,
      sharedWith: { version: 1 },
      upgrade: (document) => shared.upgrade(document, 1) as PersonShared,
    });
    await place.open([without], NEW);
    await expect(place.open([before], OLD)).rejects.toMatchObject({
      code: 'NEWER_VERSION',
      message: 'the table of test.people has no name any more: release 0.2.0 changed it, and this is release 0.1.0',
    });
  });

  test('documents that a snapshot restores in an earlier version have current columns', async (context) => {
    const place = await postgres.place(context);
    const old = await place.open([before], OLD);
    await old.transact((tx) => tx.put(before, 'a', { name: 'Ada' }));
    const parts = await old.capture([], async (all) => Array.fromAsync(all));
    await old.close();
    const fresh = await place.open([shared], NEW);
    await fresh.wipe(async (_tx, load) => {
      for (const part of parts) await load(part);
    });
    expect(await place.sql('SELECT * FROM cloudjar.stale')).toEqual([]);
    expect(await tagged(fresh, 'upgraded')).toEqual(['a']);
  });
});
