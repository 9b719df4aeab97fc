import fc from 'fast-check';
import { describe, expect, onTestFinished, type TestContext, test, vi } from 'vitest';
import { chunks, drafts } from '../../../src/kernel/snapshots/collections.ts';
import { differences, pathText } from '../../../src/kernel/snapshots/compare/differences.ts';
import { reordered, storedEntries } from '../../../src/kernel/snapshots/compare/entries.ts';
import { mergedOrder } from '../../../src/kernel/snapshots/compare/order.ts';
import { savedSnapshots } from '../../../src/kernel/snapshots/index.ts';
import { type Engine, engines } from '../store/contract/engines.ts';
import { append, create, each, single } from '../store/contract/typed.ts';
import { fill, items, type Opened, openSnapshots } from './open-snapshots.ts';

async function open(engine: Engine, context: Pick<TestContext, 'skip'>): Promise<Opened> {
  const { address } = await engine.place(context);
  const opened = await openSnapshots(engine.name, address);
  onTestFinished(() => opened.close());
  return opened;
}

const put = ({ store }: Opened, documents: Readonly<Record<string, string>>): Promise<void> =>
  store.wipe(async (tx) => {
    for (const [key, note] of Object.entries(documents)) await tx.put(items, key, { generation: 'g', note });
  });

/** Calls `react` whenever content is about to be read outside of a transaction, with the number of such reads. */
function onChunkRead({ store }: Opened, react: (count: number) => void | Promise<void>): void {
  const get = store.get.bind(store);
  let count = 0;
  vi.spyOn(store, 'get').mockImplementation(async (collection, key) => {
    if (collection.name === chunks.name) await react(++count);
    return get(collection, key);
  });
}

/** Content of several chunks. */
const fillMuch = ({ store }: Opened): Promise<void> =>
  store.wipe((tx) => {
    const note = 'x'.repeat(10_000);
    const documents = Array.from({ length: 600 }, (_, i) => [`i${i}`, { generation: 'g', note }] as const);
    return tx.putAll(items, documents).then(() => {});
  });

describe.each(engines)('$name:', (engine) => {
  test('a comparison finds what a comparison of all keys finds, whatever the keys are', async (context) => {
    const opened = await open(engine, context);
    const keys = ['a', 'B', 'ä', '\u{1f600}', '\uffee', 'a b', 'a/b', 'Z', '~'];
    const state = fc.dictionary(fc.constantFrom(...keys), fc.constantFrom('one', 'two'));
    await fc.assert(
      fc.asyncProperty(state, state, async (before, after) => {
        await put(opened, before);
        await opened.snapshots.save('before');
        await put(opened, after);
        await opened.snapshots.save('after');
        const expected = [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => {
          if (before[key] === after[key]) return [];
          return [[key, !(key in before) ? 'added' : key in after ? 'changed' : 'removed']];
        });
        for (const to of ['after', undefined]) {
          const found = await opened.snapshots.compare({ from: 'before', to, collection: items.name, limit: 100 });
          expect(found.items.map(({ key, change }) => [key, change]).sort()).toEqual(expected.sort());
        }
      }),
      { numRuns: 15 },
    );
  });

  test('rows of typed tables are compared by their numbers and columns', async (context) => {
    const opened = await open(engine, context);
    const { store, snapshots } = opened;
    await create(store, single('text'), each('one', 'two'));
    await snapshots.save('before');
    await append(store, 'single', each('three'));
    const compared = await snapshots.compare({ from: 'before', limit: 10 });
    expect(compared.items).toContainEqual({ collection: 'store.tables/single', key: '3', change: 'added' });
    expect(compared.collections).toContainEqual({
      collection: 'store.tables/single',
      added: 1,
      removed: 0,
      changed: 0,
      same: 2,
    });
    const of = { from: 'before', collection: 'store.tables/single', limit: 10 };
    expect((await snapshots.compare(of)).collections).toHaveLength(1);
  });

  test('a snapshot that is replaced while it is compared is refused by its name', async (context) => {
    const opened = await open(engine, context);
    await put(opened, { a: 'one' });
    await opened.snapshots.save('before');
    const comparing = opened.snapshots.compare({
      from: 'before',
      limit: 10,
      after: ({ from }) => {
        // Another collection of chunks than the content has, as after a replacement.
        Object.assign(from, { id: 'replaced' });
        return undefined;
      },
    });
    await expect(comparing).rejects.toMatchObject({ code: 'SnapshotReplaced', status: 409 });
  });

  test('comparisons run one after another', async (context) => {
    const opened = await open(engine, context);
    await fill(opened.store, 'first');
    await opened.snapshots.save('before');
    const events: string[] = [];
    const comparison = async (name: string): Promise<void> => {
      const begins = (): undefined => void events.push(`${name} begins`);
      await opened.snapshots.compare({ from: 'before', limit: 10, after: begins });
      events.push(`${name} ends`);
    };
    await Promise.all([comparison('one'), comparison('two'), comparison('three')]);
    expect(events.filter((each) => each.endsWith('begins'))).toEqual(['one begins', 'two begins', 'three begins']);
    // When one ends, the next may begin before the caller of the first continues.
    expect(events.indexOf('one ends')).toBeLessThan(events.indexOf('three begins'));
  });

  test('a comparison that nobody waits for any more does not begin', async (context) => {
    const opened = await open(engine, context);
    await fill(opened.store, 'first');
    await opened.snapshots.save('before');
    const gone = new AbortController();
    let hasBegun = false;
    const first = opened.snapshots.compare({ from: 'before', limit: 10 });
    const second = opened.snapshots.compare({
      from: 'before',
      limit: 10,
      signal: gone.signal,
      after: () => {
        hasBegun = true;
        return undefined;
      },
    });
    gone.abort();
    await expect(second).rejects.toMatchObject({ code: 'ABANDONED' });
    await first;
    await opened.snapshots.compare({ from: 'before', limit: 10 });
    expect(hasBegun).toBe(false);
  });

  test.for([
    ['the present state', undefined],
    ['another snapshot', 'after'],
  ] as const)('a comparison with %s ends when it is aborted, and leaves nothing behind', async ([, to], context) => {
    const opened = await open(engine, context);
    await fillMuch(opened);
    const { snapshot } = await opened.snapshots.save('before');
    await opened.snapshots.save('after');
    expect(snapshot.chunks).toBeGreaterThanOrEqual(8);
    const stored = await opened.store.count(chunks);
    const gone = new AbortController();
    let reads = 0;
    onChunkRead(opened, (count) => {
      reads = count;
      gone.abort();
    });
    const aborted = opened.snapshots.compare({ from: 'before', to, limit: 10, signal: gone.signal });
    await expect(aborted).rejects.toMatchObject({ code: 'ABANDONED' });
    expect(reads).toBeLessThanOrEqual(4);
    expect(await opened.store.count(drafts)).toBe(0);
    expect(await opened.store.count(chunks)).toBe(stored);
  });

  test('writes continue while a snapshot is compared with the present state', async (context) => {
    const opened = await open(engine, context);
    await fillMuch(opened);
    const { snapshot } = await opened.snapshots.save('before');
    const { store } = opened;
    let written = 0;
    onChunkRead(opened, async () => {
      await store.transact((tx) => tx.put(items, 'written meanwhile', { generation: 'g', note: String(written) }));
      written += 1;
    });
    const { collections } = await opened.snapshots.compare({ from: 'before', limit: 10 });
    expect(written).toBeGreaterThanOrEqual(snapshot.chunks);
    expect(collections).toContainEqual(expect.objectContaining({ collection: items.name, changed: 0, same: 600 }));
    expect(await store.count(drafts)).toBe(0);
    expect(await store.count(chunks)).toBe(snapshot.chunks);
  });

  test('content with another order of collections is read in the wanted order', async (context) => {
    const opened = await open(engine, context);
    await create(opened.store, single('text'), each('one'));
    await opened.store.transact((tx) => tx.put(items, 'a', { generation: 'g', note: 'x' }));
    const { snapshot } = await opened.snapshots.save('one');
    const names: string[] = [];
    const batches = reordered(() => storedEntries(opened.store, snapshot), ['store.tables', items.name]);
    for await (const batch of batches) names.push(...batch.map(({ collection }) => collection));
    expect(names.slice(0, 2)).toEqual(['store.tables', items.name]);
    expect(names).toContain('store.tables/single');
    expect(new Set(names).size).toBe(names.length);
    expect(await opened.store.get(savedSnapshots, 'one')).toBeDefined();
  });
});

test('orders of collections are merged if they agree', () => {
  expect(mergedOrder(['a', 'c', 'e'], ['b', 'c', 'd'])).toEqual(['a', 'b', 'c', 'e', 'd']);
  expect(mergedOrder(['x', 'z'], ['x', 'y', 'z'])).toEqual(['x', 'y', 'z']);
  expect(mergedOrder([], ['a'])).toEqual(['a']);
  expect(mergedOrder(['a', 'b'], ['b', 'a'])).toBeUndefined();
});

test('differences have the paths of their members', () => {
  const before = { a: { b: [1, 2], 'c d': 'x' }, same: null, gone: true };
  const after = { a: { b: [1, 3, 4], 'c d': 'y' }, same: null, __proto__: 1 };
  const found = [...differences(before, after, (a, b) => a === b)];
  expect(found.map(({ path, before, after }) => [pathText(path), before, after])).toEqual([
    ['a.b[1]', 2, 3],
    ['a.b[2]', undefined, 4],
    ["a['c d']", 'x', 'y'],
    ['gone', true, undefined],
  ]);
  expect([...differences('x', 'y', (a, b) => a.length === b.length)]).toEqual([]);
});
