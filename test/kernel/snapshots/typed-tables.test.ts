import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, type TestContext, test } from 'vitest';
import { type Engine, engines, file, postgres } from '../store/contract/engines.ts';
import { ALL_TYPES, EXTREMES } from '../store/contract/tables.ts';
import { append, cellsOf, create, each, firstColumn, single } from '../store/contract/typed.ts';
import { type Opened, openSnapshots } from './open-snapshots.ts';

async function open(engine: Engine, context: Pick<TestContext, 'skip'>): Promise<Opened> {
  const { address } = await engine.place(context);
  const opened = await openSnapshots(engine.name, address);
  onTestFinished(() => opened.close());
  return opened;
}

const fileOf = async ({ snapshots }: Opened, name: string): Promise<Buffer> =>
  buffer((await snapshots.content(name)).file);
const linesIn = (packed: Buffer): string[] => gunzipSync(packed).toString().trimEnd().split('\n');

for (const engine of engines) {
  test(`${engine.name}: a snapshot brings typed tables back`, async (context) => {
    const opened = await open(engine, context);
    const { store, snapshots } = opened;
    await create(store, ALL_TYPES, EXTREMES);
    await create(store, single('text'), each('Name'));
    const { snapshot } = await snapshots.save('one');
    expect(snapshot.counts).toMatchObject({ rows: EXTREMES.length + 1, collections: { 'store.tables': 2 } });
    await append(store, 'single', each('new'));
    await store.transact((tx) => tx.tables.drop('all_types'));
    await snapshots.restore('one');
    await append(store, 'single', each('NAME', 'NEW'));
    expect(await firstColumn(store)).toEqual(['Name', 'Name', 'NEW']);
    expect(await cellsOf(store, 'all_types')).toEqual(EXTREMES);
  });
}

test('a file with typed tables goes from SQLite to PostgreSQL and back, and has the same rows everywhere', async (context) => {
  const one = await open(file, context);
  await create(one.store, ALL_TYPES, EXTREMES);
  await create(one.store, single('text', { unique: true }), each('a', 'b', 'c'));
  await one.store.transact((tx) => tx.tables.removeOldest('single', 1));
  await one.snapshots.save('move');
  const sent = await fileOf(one, 'move');
  const [header = '', ...lines] = linesIn(sent);
  expect(JSON.parse(header)).toMatchObject({ format: 3, counts: { rows: EXTREMES.length + 2 } });
  expect(lines).toContain('["r","single",3,"c"]');

  const other = await open(postgres, context);
  await other.snapshots.accept('move', Readable.from([sent]));
  await other.snapshots.restore('move');
  expect(await cellsOf(other.store, 'all_types')).toEqual(EXTREMES);
  expect(await other.store.tables.rows('single', 0, 10)).toEqual([
    { number: 2, cells: ['b'] },
    { number: 3, cells: ['c'] },
  ]);
  await other.snapshots.save('back');
  const returned = await fileOf(other, 'back');
  const stored = (packed: Buffer) => linesIn(packed).filter((line) => /^\["[dr]"/.test(line));
  expect(stored(returned)).toEqual(stored(sent));
  await one.snapshots.accept('back', Readable.from([returned]));
  await one.snapshots.restore('back');
  expect(await cellsOf(one.store, 'all_types')).toEqual(EXTREMES);
});

test('a file without rows is one that releases before typed tables can read', async (context) => {
  const opened = await open(file, context);
  await create(opened.store, single('text'));
  await opened.snapshots.save('none');
  const [header = ''] = linesIn(await fileOf(opened, 'none'));
  expect(JSON.parse(header)).toMatchObject({ format: 1 });
  expect(JSON.parse(header).counts).not.toHaveProperty('rows');
});

test('a file that lacks a row is refused', async (context) => {
  const opened = await open(file, context);
  await create(opened.store, single('text'), each('a', 'b'));
  await opened.snapshots.save('whole');
  const lines = linesIn(await fileOf(opened, 'whole')).filter((line) => line !== '["r","single",2,"b"]');
  const cut = gzipSync(`${lines.join('\n')}\n`);
  const accepted = opened.snapshots.accept('cut', Readable.from([cut]));
  await expect(accepted).rejects.toMatchObject({ code: 'SnapshotFileIncomplete' });
});
