import { expect, test } from 'vitest';
import { DuplicateValueError } from '../../../../src/kernel/store/errors.ts';
import { MOST_SPELLINGS } from '../../../../src/kernel/store/typed/spellings.ts';
import type { Cell, TableDefinition } from '../../../../src/kernel/store/typed/types.ts';
import { type Engine, openNew, things } from './engines.ts';
import { append, cellsOf, column, create, each, firstColumn, single } from './typed.ts';

export const ALL_TYPES: TableDefinition = {
  name: 'all_types',
  columns: [
    column('c1', 'int64'),
    column('c2', 'decimal'),
    column('c3', 'double'),
    column('c4', 'boolean'),
    column('c5', 'datetime'),
    column('c6', 'text'),
  ],
};
export const EXTREMES: Cell[][] = [
  [null, null, null, null, null, null],
  [0, 0, 0, 0, 0, ''],
  [1, 125_000, 12.5, 1, 45_296.544_548_611_11, 'Text'],
  [2 ** 53 - 1, -(2 ** 53 - 1), Number.MAX_VALUE, 0, -693_593, 'ä ß İ 😀 \u2028'],
  [2n ** 63n - 1n, -(2n ** 63n), Number.MIN_VALUE, 1, 2_958_465.999, '"\\{},\'\n\t'],
  [-(2n ** 63n), 2n ** 63n - 1n, -Number.MAX_VALUE, 0, 1 / 3, ' blanks '],
  [2n ** 53n, -(2n ** 53n), 2 ** 53 + 2, 0, 2 ** 20 + 2 ** -20, 'x'.repeat(4000)],
  [-1, 1, 0.1 + 0.2, 1, 2 ** 21, 'NULL'],
];

export function tableTests(engine: Engine): void {
  test('every type comes out as it went in, at its extremes too', async (context) => {
    const store = await openNew(engine, context);
    await create(store, ALL_TYPES, EXTREMES);
    const numbered = EXTREMES.map((cells, i) => ({ number: i + 1, cells }));
    expect(await store.tables.rows('all_types', 0, 100)).toEqual(numbered);
    expect(await store.tables.rows('all_types', 2, 3)).toEqual(numbered.slice(2, 5));
    expect(await store.tables.newestRows('all_types', Number.MAX_SAFE_INTEGER, 100)).toEqual(numbered.toReversed());
    expect(await store.tables.newestRows('all_types', 6, 3)).toEqual(numbered.slice(2, 5).toReversed());
    expect(await store.tables.count('all_types')).toBe(EXTREMES.length);
    const columns = ALL_TYPES.columns.map(({ type }) => type);
    const text = `SELECT c1, c2, c3, c4, c5, c6 FROM ${store.tables.sqlName('all_types')} ORDER BY n`;
    const selected = await store.tables.select({ text, values: [], columns }, { rows: 100, timeMs: 60_000 });
    expect(selected).toEqual({ rows: EXTREMES, more: false });
  });

  test('a zero has no sign, and characters that databases cannot store are replaced', async (context) => {
    const store = await openNew(engine, context);
    await create(store, single('double'), each(-0));
    expect(await firstColumn(store)).toEqual([0]);
    await create(store, single('text', { name: 'texts' }), each('a\u0000b', 'half \ud800 a pair'));
    expect(await firstColumn(store, 'texts')).toEqual(['a\ufffdb', 'half \ufffd a pair']);
  });

  test('a value that its column cannot have is refused, with its row, and nothing of the batch is there', async (context) => {
    const store = await openNew(engine, context);
    await create(store, ALL_TYPES);
    const good: Cell[] = [1, 1, 1, 1, 1, 'a'];
    const bad: Cell[] = [1.5, 2n ** 63n, Number.NaN, 2, 3_000_000, 5];
    for (const [i, value] of bad.entries()) {
      const wrong = append(store, 'all_types', [good, good.with(i, value)]);
      await expect(wrong).rejects.toMatchObject({
        code: 'BAD_VALUE',
        message: expect.stringMatching(`row 2.*c${i + 1}`),
      });
    }
    for (const wrong of [Number.POSITIVE_INFINITY, '1', 1n]) {
      await expect(append(store, 'all_types', [good.with(2, wrong)])).rejects.toMatchObject({ code: 'BAD_VALUE' });
    }
    await expect(append(store, 'all_types', [good, [1]])).rejects.toMatchObject({ code: 'BAD_VALUE' });
    expect(await store.tables.count('all_types')).toBe(0);
  });

  test('definitions are there while their tables are, and bad ones are refused', async (context) => {
    const store = await openNew(engine, context);
    expect(await store.tables.definition('all_types')).toBeUndefined();
    await create(store, ALL_TYPES);
    expect(await store.tables.definition('all_types')).toEqual(ALL_TYPES);
    await expect(create(store, ALL_TYPES)).rejects.toMatchObject({ code: 'BAD_QUERY' });
    const wrong: TableDefinition[] = [
      { name: 'Upper', columns: [column('c1', 'text')] },
      { name: 'a"b', columns: [column('c1', 'text')] },
      { name: 'none', columns: [] },
      { name: 'quoted', columns: [column('c1" text, "x', 'text')] },
      { name: 'twice', columns: [column('c1', 'text'), column('c1', 'int64')] },
      { name: 'n', columns: [column('n', 'int64')] },
    ];
    for (const table of wrong) await expect(create(store, table)).rejects.toMatchObject({ code: 'BAD_QUERY' });
    await store.transact((tx) => tx.tables.drop('all_types'));
    expect(await store.tables.definition('all_types')).toBeUndefined();
    expect(() => store.tables.sqlName('a"b')).toThrow('cannot be the name');
  });

  test('queries on a missing table are refused', async (context) => {
    const store = await openNew(engine, context);
    const unknown = { code: 'UNKNOWN_TABLE' };
    await expect(store.tables.rows('nowhere', 0, 1)).rejects.toMatchObject(unknown);
    await expect(store.tables.count('nowhere')).rejects.toMatchObject(unknown);
    await expect(append(store, 'nowhere', [])).rejects.toMatchObject(unknown);
    await expect(store.transact((tx) => tx.tables.clear('nowhere'))).rejects.toMatchObject(unknown);
    await expect(store.transact((tx) => tx.tables.drop('nowhere'))).rejects.toMatchObject(unknown);
    await expect(store.transact((tx) => tx.tables.removeOldest('nowhere', 1))).rejects.toMatchObject(unknown);
    await expect(store.transact((tx) => tx.tables.change(single('text')))).rejects.toMatchObject(unknown);
  });

  test('the oldest rows go first, and a table can be emptied', async (context) => {
    const store = await openNew(engine, context);
    const remove = (count: number) => store.transact((tx) => tx.tables.removeOldest('single', count));
    await create(store, single('int64'), each(...Array.from({ length: 100 }, (_, i) => i)));
    await remove(0);
    expect(await store.tables.count('single')).toBe(100);
    await remove(97);
    expect(await firstColumn(store)).toEqual([97, 98, 99]);
    await append(store, 'single', each(100));
    await remove(1);
    expect(await store.tables.rows('single', 0, 10)).toEqual([
      { number: 99, cells: [98] },
      { number: 100, cells: [99] },
      { number: 101, cells: [100] },
    ]);
    await remove(1000);
    expect(await store.tables.count('single')).toBe(0);
    await append(store, 'single', each(7));
    await store.transact((tx) => tx.tables.clear('single'));
    expect(await store.tables.count('single')).toBe(0);
  });

  test('the oldest rows go first where transactions that came to nothing have left gaps between numbers', async (context) => {
    const store = await openNew(engine, context);
    await create(store, single('int64'), each(0, 1, 2));
    for (const value of [3, 4, 5]) {
      const abandoned = store.transact(async (tx) => {
        await tx.tables.append('single', each(...Array.from({ length: 50 }, () => -1)));
        throw new Error('abandoned');
      });
      await expect(abandoned).rejects.toThrow('abandoned');
      await append(store, 'single', each(value));
    }
    await store.transact((tx) => tx.tables.removeOldest('single', 5));
    expect(await firstColumn(store)).toEqual([5]);
    await store.transact((tx) => tx.tables.removeOldest('single', 5));
    await store.transact((tx) => tx.tables.removeOldest('single', 5));
    expect(await firstColumn(store)).toEqual([]);
  });

  test('equal texts of a column are shown in the spelling that came first', async (context) => {
    const store = await openNew(engine, context);
    const table = { name: 'spelled', columns: [column('c1', 'text'), column('c2', 'text')] };
    await create(store, table, [
      ['Shop', 'shop'],
      ['SHOP ', 'SHOP'],
      [null, 'Ｓｈｏｐ'],
      ['カメラ', 'Érable'],
      ['', 'erable'],
    ]);
    await append(store, 'spelled', [
      ['shop', 'éRABLE'],
      ['かめら  ', ' shop'],
      ['  ', null],
    ]);
    expect(await cellsOf(store, 'spelled')).toEqual([
      ['Shop', 'shop'],
      ['Shop', 'shop'],
      [null, 'shop'],
      ['カメラ', 'Érable'],
      ['', 'erable'],
      ['Shop', 'Érable'],
      ['カメラ', ' shop'],
      ['', null],
    ]);
    await store.transact(async (tx) => {
      await tx.tables.clear('spelled');
      await tx.tables.append('spelled', [['SHOP', 'SHOP']]);
    });
    expect(await cellsOf(store, 'spelled')).toEqual([['SHOP', 'SHOP']]);
    await store.transact(async (tx) => {
      await tx.tables.drop('spelled');
      await tx.tables.create(table);
      await tx.tables.append('spelled', [['shop', 'x']]);
    });
    expect(await cellsOf(store, 'spelled')).toEqual([['shop', 'x']]);
  });

  test('a column of too many texts keeps each as it was sent, and so do long texts', async (context) => {
    const store = await openNew(engine, context);
    const many = Array.from({ length: MOST_SPELLINGS }, (_, i) => `Name ${i}`);
    await create(store, single('text'), each(...many));
    await append(store, 'single', each('NAME 1'));
    expect((await firstColumn(store)).at(-1)).toBe('Name 1');
    await append(store, 'single', each('one more', 'NAME 1'));
    await append(store, 'single', each('name 2'));
    expect((await firstColumn(store)).slice(-3)).toEqual(['one more', 'Name 1', 'name 2']);
    await store.transact((tx) => tx.tables.clear('single'));
    const long = 'x'.repeat(1000);
    await append(store, 'single', each('a', 'A', long, long.toUpperCase()));
    expect(await firstColumn(store)).toEqual(['a', 'a', long, long.toUpperCase()]);
  });

  test.for(['int64', 'decimal', 'double', 'datetime', 'text', 'boolean'] as const)(
    'a unique column of %s has each value once and never lacks one',
    async (type, context) => {
      const store = await openNew(engine, context);
      const [first, other, again] = type === 'text' ? ['Key', 'other', 'KEY '] : [0, 1, 0];
      await create(store, single(type, { unique: true }), each(first!));
      for (const rows of [each(other!, again!), each(other!, other!), each(other!, null)]) {
        const refused = await append(store, 'single', rows).catch((error: unknown) => error);
        expect(refused).toBeInstanceOf(DuplicateValueError);
        expect(refused).toMatchObject({ code: 'DUPLICATE_VALUE', column: 'c1', value: rows[1]![0] });
        expect(await firstColumn(store)).toEqual([first]);
      }
      await append(store, 'single', each(other!));
      expect(await firstColumn(store)).toEqual([first, other]);
    },
  );

  test('whole numbers beyond 2⁵³ are unique as they are', async (context) => {
    const store = await openNew(engine, context);
    const near = [2n ** 62n, 2n ** 62n + 1n, 2n ** 62n + 2n];
    await create(store, single('int64', { unique: true }), each(...near));
    const refused = append(store, 'single', each(5, 2n ** 62n + 1n));
    await expect(refused).rejects.toMatchObject({ column: 'c1', value: 2n ** 62n + 1n });
    await expect(append(store, 'single', each(5, 5n))).rejects.toMatchObject({ value: 5n });
    expect(await firstColumn(store)).toEqual(near);
  });

  test('a text that is too long for a unique column is refused, and fits any other', async (context) => {
    const store = await openNew(engine, context);
    await create(store, single('text', { unique: true }));
    const long = Array.from({ length: 4000 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000))).join('');
    await expect(append(store, 'single', each(long))).rejects.toMatchObject({ code: 'BAD_VALUE' });
    await create(store, single('text', { name: 'plain' }), each(long));
    expect(await firstColumn(store, 'plain')).toEqual([long]);
  });

  test('a refused batch leaves the rest of its transaction as it is', async (context) => {
    const store = await openNew(engine, context);
    await create(store, single('int64', { unique: true }), each(500));
    const rows = each(...Array.from({ length: 1000 }, (_, i) => i));
    await store.transact(async (tx) => {
      await tx.tables.append('single', each(-1));
      await tx.tables.append('single', rows).catch(() => {});
      await tx.put(things, 'note', { note: 'refused' });
    });
    expect(await firstColumn(store)).toEqual([500, -1]);
    expect((await store.get(things, 'note'))?.value.note).toBe('refused');
  });

  test('a transaction that fails takes its tables and rows back with its documents', async (context) => {
    const store = await openNew(engine, context);
    await create(store, single('text', { name: 'kept' }), each('Before'));
    const failing = store.transact(async (tx) => {
      await tx.tables.create(single('text'));
      await tx.tables.append('single', each('Lost'));
      await tx.tables.append('kept', each('Also lost'));
      await tx.tables.change({ name: 'kept', columns: [column('c1', 'text'), column('c2', 'int64')] });
      await tx.put(things, 'a', {});
      throw new Error('enough');
    });
    await expect(failing).rejects.toThrow('enough');
    const dropping = store.transact(async (tx) => {
      await tx.tables.drop('kept');
      throw new Error('enough');
    });
    await expect(dropping).rejects.toThrow('enough');
    expect(await store.tables.definition('single')).toBeUndefined();
    expect(await store.tables.definition('kept')).toEqual(single('text', { name: 'kept' }));
    await append(store, 'kept', each('ALSO LOST', 'BEFORE'));
    await create(store, single('text'), each('LOST'));
    expect(await firstColumn(store, 'kept')).toEqual(['Before', 'ALSO LOST', 'Before']);
    expect(await firstColumn(store)).toEqual(['LOST']);
  });

  test('transactions that add to one table at the same time lose nothing, and agree on spellings', async (context) => {
    const store = await openNew(engine, context);
    await create(store, { name: 'busy', columns: [column('c1', 'int64'), column('c2', 'text')] });
    const spelled = (i: number, upper: boolean): string => (upper ? `NAME ${i % 40}` : `name ${i % 40}`);
    const batches = Array.from({ length: 24 }, (_, batch) =>
      Array.from({ length: 50 }, (_, i): Cell[] => [batch * 50 + i, spelled(batch * 7 + i, batch % 2 === 0)]),
    );
    await Promise.all(batches.map((rows) => append(store, 'busy', rows)));
    const rows = await cellsOf(store, 'busy');
    expect(rows.map(([number]) => Number(number)).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 1200 }, (_, i) => i),
    );
    const names = new Map<string, Set<Cell>>();
    for (const [, name] of rows) {
      const fold = String(name).toLowerCase();
      names.set(fold, (names.get(fold) ?? new Set()).add(name!));
    }
    expect(names.size).toBe(40);
    expect([...names.values()].every((spellings) => spellings.size === 1)).toBe(true);
    // The rows of a batch are contiguous.
    const order = rows.map(([number]) => Math.floor(Number(number) / 50));
    if (!engine.shared) expect(order.filter((batch, i) => batch !== order[i - 1])).toHaveLength(24);
  });

  test('of transactions that add the same value to a unique column at the same time one succeeds', async (context) => {
    const store = await openNew(engine, context);
    await create(store, single('int64', { unique: true }));
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, (_, i) => append(store, 'single', each(1000 + i, 7, 2000 + i))),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'DUPLICATE_VALUE', value: 7 });
    }
    expect(await store.tables.count('single')).toBe(3);
  });

  test('a wipe takes all typed tables with it', async (context) => {
    const store = await openNew(engine, context);
    await create(store, single('text'), each('Before'));
    await create(store, ALL_TYPES, EXTREMES);
    await store.wipe(async (tx) => {
      await tx.tables.create(single('text'));
      await tx.tables.append('single', each('BEFORE'));
    });
    expect(await firstColumn(store)).toEqual(['BEFORE']);
    expect(await store.tables.definition('all_types')).toBeUndefined();
    await create(store, ALL_TYPES);
    await store.wipe(async () => {});
    expect(await store.tables.definition('single')).toBeUndefined();
  });

  if (engine.shared) {
    test('nodes agree on spellings, and forget them together', async (context) => {
      const place = await engine.place(context);
      const [here, there] = [await place.open(), await place.open()];
      await create(here, single('text'), each('Name', 'other'));
      await append(there, 'single', each('NAME'));
      await append(there, 'single', each('NAME', 'name'));
      expect(await firstColumn(there)).toEqual(['Name', 'other', 'Name', 'Name', 'Name']);
      await here.transact((tx) => tx.tables.clear('single'));
      await append(there, 'single', each('NAME'));
      await append(here, 'single', each('Name', 'name'));
      expect(await firstColumn(here)).toEqual(['NAME', 'NAME', 'NAME']);
    });
  }

  if (engine.durable) {
    test('a store that is closed and opened again has its tables, rows and spellings', async (context) => {
      const place = await engine.place(context);
      const before = await place.open();
      await create(before, ALL_TYPES, EXTREMES);
      await create(before, single('text'), each('Name'));
      await before.close();
      const store = await place.open();
      expect(await cellsOf(store, 'all_types')).toEqual(EXTREMES);
      await append(store, 'single', each('NAME'));
      expect(await store.tables.rows('single', 0, 10)).toEqual([
        { number: 1, cells: ['Name'] },
        { number: 2, cells: ['Name'] },
      ]);
    });
  }
}
