import fc from 'fast-check';
import { describe, expect, onTestFinished, type TestContext, test } from 'vitest';
import { differences, pathText } from '../../../src/kernel/snapshots/compare/differences.ts';
import { reordered, storedEntries } from '../../../src/kernel/snapshots/compare/entries.ts';
import { mergedOrder } from '../../../src/kernel/snapshots/compare/order.ts';
import { savedSnapshots } from '../../../src/kernel/snapshots/index.ts';
import { type Engine, engines } from '../store/contract/engines.ts';
import { append, create, each, single } from '../store/contract/typed.ts';
import { items, type Opened, openSnapshots } from './open-snapshots.ts';

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
