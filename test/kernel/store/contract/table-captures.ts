import { expect, test } from 'vitest';
import { tableDefinitions } from '../../../../src/kernel/store/typed/definitions.ts';
import type { StatePart, Store, TableRow } from '../../../../src/kernel/store/types.ts';
import { type Engine, engines, openNew } from './engines.ts';
import { captured, restored } from './snapshots.ts';
import { ALL_TYPES, EXTREMES } from './tables.ts';
import { append, cellsOf, column, create, each, firstColumn, single } from './typed.ts';

const rowsOf = (parts: readonly StatePart[], table: string): readonly TableRow[] =>
  parts.flatMap((part) => (part.of === 'rows' && part.table === table ? [...part.rows] : []));

const definitionPart = (name: string, body: unknown): StatePart => ({
  of: 'documents',
  collection: tableDefinitions.name,
  rows: [[name, 'e', JSON.stringify(body)]],
});

/** Tables with gaps in their numbering, spellings, and a unique column. */
async function fill(store: Store): Promise<void> {
  await create(store, ALL_TYPES, EXTREMES);
  await create(store, single('text', { unique: true }), each('Gone', 'First', 'Second'));
  await store.transact((tx) => tx.tables.removeOldest('single', 1));
  await create(store, single('int64', { name: 'empty' }));
}

export function tableCaptureTests(engine: Engine): void {
  test('typed tables are captured and loaded with numbers, spellings and unique columns', async (context) => {
    const store = await openNew(engine, context);
    await fill(store);
    const parts = await captured(store);
    expect(rowsOf(parts, 'single')).toEqual([
      [2, 'First'],
      [3, 'Second'],
    ]);
    expect(rowsOf(parts, 'all_types')[4]).toEqual([
      5,
      '9223372036854775807',
      '-9223372036854775808',
      ...EXTREMES[4]!.slice(2),
    ]);
    expect(JSON.parse(JSON.stringify(parts))).toEqual(parts);
    await store.transact(async (tx) => {
      await tx.tables.change({ name: 'single', columns: [column('c1', 'text'), column('c2', 'int64')] });
      await tx.tables.drop('all_types');
      await tx.tables.create(single('double', { name: 'newer' }));
    });
    await restored(store, parts);
    expect(await captured(store)).toEqual(parts);
    expect(await cellsOf(store, 'all_types')).toEqual(EXTREMES);
    expect(await store.tables.definition('newer')).toBeUndefined();
    expect(await store.tables.count('empty')).toBe(0);
    await expect(append(store, 'single', each('SECOND'))).rejects.toMatchObject({ code: 'DUPLICATE_VALUE' });
    await append(store, 'single', each('third'));
    await append(store, 'all_types', [[1, 1, 1, 1, 1, 'TEXT']]);
    expect(await store.tables.rows('single', 3, 10)).toMatchObject([{ cells: ['third'] }]);
    expect((await cellsOf(store, 'all_types')).at(-1)).toEqual([1, 1, 1, 1, 1, 'Text']);
  });

  test.for(engines.map(({ name }) => name))(
    'what was captured here is the same after it was loaded by %s',
    async (name, context) => {
      const store = await openNew(engine, context);
      await fill(store);
      const parts = await captured(store);
      const other = await openNew(engines.find((each) => each.name === name)!, context);
      await restored(other, parts);
      expect(await captured(other)).toEqual(parts);
      expect(await cellsOf(other, 'all_types')).toEqual(EXTREMES);
    },
  );

  test('a long table comes in parts of bounded size', async (context) => {
    const store = await openNew(engine, context);
    const text = 'some text that makes the row longer '.repeat(20);
    await create(store, single('text'), each(...Array.from({ length: 3000 }, (_, i) => `${i} ${text}`)));
    const parts = (await captured(store)).filter((part) => part.of === 'rows');
    expect(parts.length).toBeGreaterThan(3);
    expect(rowsOf(parts, 'single').map(([number]) => number)).toEqual(Array.from({ length: 3000 }, (_, i) => i + 1));
    await restored(store, await captured(store));
    expect(await store.tables.count('single')).toBe(3000);
  });

  test('a capture shows one moment of tables that are written, changed and dropped meanwhile', async (context) => {
    const store = await openNew(engine, context);
    await create(store, single('int64'), each(1));
    await create(store, single('text', { name: 'texts' }), each('a', 'b'));
    const parts: StatePart[] = [];
    const after: Promise<unknown>[] = [];
    await store.capture([], async (all) => {
      for await (const part of all) {
        if (after.length === 0) {
          // In sequence: if both started at once, the drop could be first.
          const drop = () => store.transact((tx) => tx.tables.drop('single'));
          after.push(append(store, 'single', each(2)).then(drop));
          after.push(store.transact((tx) => tx.tables.change({ name: 'texts', columns: [column('c2', 'int64')] })));
        }
        parts.push(part);
      }
    });
    expect(rowsOf(parts, 'single')).toEqual([[1, 1]]);
    expect(rowsOf(parts, 'texts')).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
    await Promise.all(after);
    expect(await store.tables.definition('single')).toBeUndefined();
    expect(await cellsOf(store, 'texts')).toEqual([[null], [null]]);
  });

  test('a load of tables or rows that no store could have is refused as a whole', async (context) => {
    const store = await openNew(engine, context);
    await create(store, single('int64'), each(7));
    const table = single('int64', { name: 'loaded' });
    const unique = single('text', { name: 'loaded', unique: true });
    const rows = (...given: TableRow[]): StatePart => ({ of: 'rows', table: 'loaded', rows: given });
    const bad: StatePart[][] = [
      [rows([1, 1])],
      [definitionPart('loaded', { ...table, name: 'other' })],
      [definitionPart('a"b', { ...table, name: 'a"b' })],
      [definitionPart('loaded', { name: 'loaded', columns: [{ name: 'c1', type: 'blob', unique: false }] })],
      [definitionPart('loaded', table), rows([1, 1, 1])],
      [definitionPart('loaded', table), rows([1, 'x'])],
      [definitionPart('loaded', table), rows([1, '12'])],
      [definitionPart('loaded', table), rows([1, 1.5])],
      [definitionPart('loaded', table), rows([1, 1], [1, 2])],
      [definitionPart('loaded', unique), rows([1, null])],
      [definitionPart('loaded', unique), rows([1, 'a'], [2, 'A'])],
    ];
    for (const parts of bad) await expect(restored(store, parts)).rejects.toMatchObject({ code: 'UNFIT' });
    expect(await firstColumn(store)).toEqual([7]);
    expect(await store.tables.definition('loaded')).toBeUndefined();
  });
}
