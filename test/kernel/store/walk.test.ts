import { describe, expect, it, test } from 'vitest';
import { deleteAll, deleteSome, deletionSteps } from '../../../src/kernel/store/delete-some.ts';
import { allOf, atLeast, atMost, eq } from '../../../src/kernel/store/filters.ts';
import type { Collection, Reader, Store } from '../../../src/kernel/store/types.ts';
import { pagesOf, readAll, walk } from '../../../src/kernel/store/walk.ts';
import { engines, openNew, things } from './contract/engines.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

async function fill(store: Store): Promise<void> {
  await store.transact(async (tx) => {
    for (const [size, name] of NAMES.entries()) await tx.put(things, `in/${name}`, { name, size });
    await tx.put(things, 'out/x', { name: 'x', size: 100 });
  });
}

const keysOf = (stored: readonly { readonly key: string }[]): string => stored.map(({ key }) => key.slice(3)).join('');

for (const engine of engines) {
  describe(`${engine.name}: a list to its end`, () => {
    test.for([1, 3, 7, 500])('is the same in pages of %i', async (page, context) => {
      const store = await openNew(engine, context);
      await fill(store);
      const query = { prefix: 'in/', order: [{ field: 'size', descending: true }], page };
      expect(keysOf(await readAll(store, things, query))).toBe('gfedcba');
      expect(keysOf(await store.transact((tx) => readAll(tx, things, query)))).toBe('gfedcba');
      const walked: { key: string }[] = [];
      for await (const stored of walk(store, things, query)) walked.push(stored);
      expect(keysOf(walked)).toBe('gfedcba');
      const sizes: number[] = [];
      for await (const each of pagesOf(store, things, query)) sizes.push(each.length);
      expect(sizes.length).toBe(Math.ceil(NAMES.length / page));
      expect(Math.max(...sizes)).toBe(Math.min(page, NAMES.length));
    });

    test('begins behind a position, keeps to a filter, and is one empty page where there is nothing', async (context) => {
      const store = await openNew(engine, context);
      await fill(store);
      const some = { filter: allOf(atLeast('size', 1), undefined, atMost('size', 5)), page: 2 };
      expect(keysOf(await readAll(store, things, some))).toBe('bcdef');
      expect(keysOf(await readAll(store, things, { ...some, after: ['in/d'] }))).toBe('ef');
      const pages: number[] = [];
      for await (const page of pagesOf(store, things, { filter: eq('name', 'nobody') })) pages.push(page.length);
      expect(pages).toEqual([0]);
    });

    test('continues in the same transaction while the loop deletes the documents of each page', async (context) => {
      const store = await openNew(engine, context);
      await fill(store);
      await store.transact(async (tx) => {
        for await (const page of pagesOf(tx, things, { prefix: 'in/', page: 2 })) {
          for (const { key } of page) await tx.delete(things, key);
        }
      });
      expect((await readAll(store, things)).map(({ key }) => key)).toEqual(['out/x']);
    });

    test('is deleted in slices', async (context) => {
      const store = await openNew(engine, context);
      await fill(store);
      expect(await store.transact((tx) => deleteSome(tx, things, { prefix: 'in/', limit: 2 }))).toBe(2);
      const step = deletionSteps(store, things, { prefix: 'in/', limit: 2 });
      expect(await step()).toBe(true);
      expect(await deleteAll(store, things, { prefix: 'in/', limit: 2 })).toBe(3);
      expect(await step()).toBe(false);
      expect(await store.count(things)).toBe(1);
    });
  });
}

it('a walk yields to the event loop between two pages, and reads no page that is not consumed', async () => {
  const happened: string[] = [];
  const pages = [['a', 'b'], ['c'], []];
  const reader: Pick<Reader, 'query'> = {
    query: async (_, { after = [0], limit }) => {
      const index = Number(after[0]);
      happened.push(`page ${index}`);
      setImmediate(() => happened.push('somebody else'));
      expect(limit).toBe(2);
      const items = (pages[index] ?? []).map((key) => ({ key, etag: '', value: key as never }));
      return { items, ...(index < 2 && { next: [index + 1] }) };
    },
  };
  const read: string[] = [];
  for await (const { key } of walk(reader, {} as Collection<string>, { page: 2 })) read.push(key);
  expect(read).toEqual(['a', 'b', 'c']);
  expect(happened.slice(0, 5)).toEqual(['page 0', 'somebody else', 'page 1', 'somebody else', 'page 2']);

  happened.length = 0;
  for await (const _ of walk(reader, {} as Collection<string>, { page: 2 })) break;
  expect(happened.filter((each) => each.startsWith('page'))).toEqual(['page 0']);
});
