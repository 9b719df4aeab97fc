import { expect, test } from 'vitest';
import type { Cell, ColumnDefinition, ColumnType } from '../../../../src/kernel/store/typed/types.ts';
import type { Store } from '../../../../src/kernel/store/types.ts';
import { type Engine, openNew } from './engines.ts';
import { append, cellsOf, column, create, each, firstColumn, single } from './typed.ts';

const change = (store: Store, name: string, columns: readonly ColumnDefinition[]): Promise<void> =>
  store.transact((tx) => tx.tables.change({ name, columns }));

interface Case {
  readonly from: ColumnType;
  readonly to: ColumnType;
  /** Values that are kept, with their converted form. */
  readonly kept: readonly (readonly [Cell, Cell])[];
  /** Values that are refused, each separately. */
  readonly refused?: readonly Cell[];
}

const BIG = 2n ** 63n - 1n;

const CASES: readonly Case[] = [
  {
    from: 'int64',
    to: 'double',
    kept: [
      [5, 5],
      [-7, -7],
      [2n ** 53n, 2 ** 53],
      [-(2n ** 53n), -(2 ** 53)],
    ],
    refused: [2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 54n, -(2n ** 63n)],
  },
  {
    from: 'int64',
    to: 'decimal',
    kept: [
      [5, 50_000],
      [-922_337_203_685_477, -9_223_372_036_854_770_000n],
      [922_337_203_685_477, 9_223_372_036_854_770_000n],
    ],
    refused: [922_337_203_685_478, -922_337_203_685_478, BIG, -(2n ** 63n)],
  },
  { from: 'int64', to: 'boolean', kept: each2(0, 1), refused: [2, -1, BIG] },
  {
    from: 'int64',
    to: 'text',
    kept: [
      [12, '12'],
      [-1, '-1'],
      [BIG, '9223372036854775807'],
      [-(2n ** 63n), '-9223372036854775808'],
    ],
  },
  {
    from: 'decimal',
    to: 'int64',
    kept: [
      [50_000, 5],
      [-9_223_372_036_854_770_000n, -922_337_203_685_477],
    ],
    refused: [1, -1, 12_345, BIG],
  },
  {
    from: 'decimal',
    to: 'double',
    kept: [
      [125_000, 12.5],
      [-1, -0.0001],
      [1000, 0.1],
      [999_999_999_999_999, 99_999_999_999.9999],
    ],
    refused: [10 ** 15, BIG, -(2n ** 63n)],
  },
  {
    from: 'decimal',
    to: 'boolean',
    kept: [
      [0, 0],
      [10_000, 1],
    ],
    refused: [1, 20_000, -10_000],
  },
  {
    from: 'decimal',
    to: 'text',
    kept: [
      [125_000, '12.5'],
      [-1, '-0.0001'],
      [0, '0'],
      [30_000, '3'],
      [-123_400, '-12.34'],
      [BIG, '922337203685477.5807'],
      [-(2n ** 63n), '-922337203685477.5808'],
    ],
  },
  {
    from: 'double',
    to: 'int64',
    kept: [
      [5, 5],
      [-3, -3],
      [2 ** 53, 2n ** 53n],
    ],
    refused: [0.5, 2 ** 53 + 2, 1e300, -1e19],
  },
  {
    from: 'double',
    to: 'decimal',
    kept: [
      [12.5, 125_000],
      [0.1, 1000],
      [-0.0001, -1],
      [99_999_999_999, 999_999_999_990_000],
    ],
    refused: [0.00001, 1 / 3, 1e11, -1e300],
  },
  { from: 'double', to: 'boolean', kept: each2(0, 1), refused: [0.5, 2, -1] },
  {
    from: 'double',
    to: 'text',
    kept: [
      [0.1, '0.1'],
      [12.5, '12.5'],
      [0, '0'],
      [100, '100'],
      [0.1 + 0.2, '0.30000000000000004'],
      [1e20, '100000000000000000000'],
      [1e21, '1e+21'],
      [1e21 - 2 ** 17, '999999999999999900000'],
      [-1.5e300, '-1.5e+300'],
      [0.000001, '0.000001'],
      [1.5e-7, '1.5e-7'],
      [123_456_789_012_345_680, '123456789012345680'],
      [Number.MIN_VALUE, '5e-324'],
      [Number.MAX_VALUE, '1.7976931348623157e+308'],
    ],
  },
  { from: 'boolean', to: 'int64', kept: each2(0, 1) },
  { from: 'boolean', to: 'double', kept: each2(0, 1) },
  {
    from: 'boolean',
    to: 'decimal',
    kept: [
      [0, 0],
      [1, 10_000],
    ],
  },
  {
    from: 'boolean',
    to: 'text',
    kept: [
      [0, 'False'],
      [1, 'True'],
    ],
  },
  {
    from: 'datetime',
    to: 'text',
    kept: [
      [45_296, '2024-01-05T00:00:00'],
      [45_296 + 47_049 / 86_400, '2024-01-05T13:04:09'],
      [0, '1899-12-30T00:00:00'],
      [-693_593, '0001-01-01T00:00:00'],
      [-0.25, '1899-12-29T18:00:00'],
      [2_958_465 + 86_399.5 / 86_400, '9999-12-31T23:59:59.500'],
    ],
  },
  ...(['int64', 'double', 'decimal', 'boolean'] as const).flatMap((to): Case[] => [
    { from: 'datetime', to, kept: [], refused: [1] },
    { from: 'text', to, kept: [], refused: ['1', ''] },
    { from: to, to: 'datetime', kept: [], refused: [1] },
  ]),
  { from: 'text', to: 'datetime', kept: [], refused: ['2024-01-05'] },
];

function each2(...values: Cell[]): [Cell, Cell][] {
  return values.map((value) => [value, value]);
}

export function tableChangeTests(engine: Engine): void {
  test("a change of a column's type keeps values that can be represented exactly, and is refused otherwise", async (context) => {
    const store = await openNew(engine, context);
    for (const { from, to, kept, refused = [] } of CASES) {
      await create(store, single(from), each(null, ...kept.map(([before]) => before)));
      await change(store, 'single', [column('c1', to)]);
      expect([from, to, await firstColumn(store)]).toEqual([from, to, [null, ...kept.map(([, after]) => after)]]);
      expect(await store.tables.definition('single')).toEqual(single(to));
      await append(store, 'single', each(null));
      await store.transact((tx) => tx.tables.drop('single'));
      for (const value of refused) {
        await create(store, single(from), each(null, value));
        const refusal = change(store, 'single', [column('c1', to)]);
        await expect(refusal, `${from} ${value} as ${to}`).rejects.toMatchObject({
          code: 'UNCONVERTIBLE',
          column: 'c1',
        });
        expect([from, await store.tables.definition('single')]).toEqual([from, single(from)]);
        expect(await firstColumn(store)).toEqual([null, value]);
        await store.transact((tx) => tx.tables.drop('single'));
      }
    }
  });

  test('columns come empty, go, and stay with their values, keys and numbers', async (context) => {
    const store = await openNew(engine, context);
    const before = [column('c1', 'int64'), column('c2', 'text'), column('c3', 'text')];
    await create(store, { name: 'changing', columns: before }, [
      [1, 'Gone', 'Kept'],
      [2, 'gone too', null],
      [3, null, 'KEPT'],
    ]);
    await store.transact((tx) => tx.tables.removeOldest('changing', 1));
    await change(store, 'changing', [column('c4', 'double'), column('c3', 'text'), column('c1', 'int64')]);
    await append(store, 'changing', [[1.5, 'kept', 4]]);
    expect(await store.tables.rows('changing', 0, 10)).toEqual([
      { number: 2, cells: [null, null, 2] },
      { number: 3, cells: [null, 'Kept', 3] },
      { number: 4, cells: [1.5, 'Kept', 4] },
    ]);
    const keys = `SELECT c3_key FROM ${store.tables.sqlName('changing')} ORDER BY n`;
    const selected = await store.tables.select(
      { text: keys, values: [], columns: ['text'] },
      { rows: 9, timeMs: 60_000 },
    );
    expect(selected.rows).toEqual([[null], ['kept'], ['kept']]);
    await change(store, 'changing', [column('c3', 'text'), column('c2', 'text')]);
    await append(store, 'changing', [['KEPT', 'GONE']]);
    expect((await cellsOf(store, 'changing')).at(-1)).toEqual(['Kept', 'GONE']);
  });

  test('a column that becomes text is found by its text, and shows it in that spelling', async (context) => {
    const store = await openNew(engine, context);
    await create(store, single('boolean'), each(1, 0, null));
    await change(store, 'single', [column('c1', 'text')]);
    await append(store, 'single', each('TRUE'));
    const text = `SELECT c1, count(*) FROM ${store.tables.sqlName('single')} WHERE c1_key = 'true' GROUP BY c1`;
    const statement = { text, values: [], columns: ['text', 'int64'] } as const;
    expect((await store.tables.select(statement, { rows: 9, timeMs: 60_000 })).rows).toEqual([['True', 2]]);
  });

  test('a column becomes unique where all rows have a value of their own', async (context) => {
    const store = await openNew(engine, context);
    const unique = [column('c1', 'text', true)];
    await create(store, single('text'), each('a', 'b', null));
    await expect(change(store, 'single', unique)).rejects.toMatchObject({
      code: 'DUPLICATE_VALUE',
      column: 'c1',
      value: null,
    });
    await store.transact((tx) => tx.tables.removeOldest('single', 3));
    await append(store, 'single', each('Twice', 'b', 'TWICE'));
    await expect(change(store, 'single', unique)).rejects.toMatchObject({ code: 'DUPLICATE_VALUE', value: 'Twice' });
    expect(await store.tables.definition('single')).toEqual(single('text'));
    await store.transact((tx) => tx.tables.removeOldest('single', 1));
    await change(store, 'single', unique);
    await expect(append(store, 'single', each('B'))).rejects.toMatchObject({ code: 'DUPLICATE_VALUE', value: 'B' });
    await change(store, 'single', [column('c1', 'text'), column('c2', 'int64')]);
    await append(store, 'single', [
      ['B', 1],
      [null, 1],
    ]);
    await expect(change(store, 'single', [column('c2', 'int64', true)])).rejects.toMatchObject({
      column: 'c2',
      value: null,
    });
    await expect(change(store, 'single', [column('c3', 'int64', true)])).rejects.toMatchObject({
      column: 'c3',
      value: null,
    });
    expect(await cellsOf(store, 'single')).toEqual([
      ['b', null],
      ['Twice', null],
      ['b', 1],
      [null, 1],
    ]);
  });

  test('a change to the same definition changes nothing, and the transaction can continue after a failed one', async (context) => {
    const store = await openNew(engine, context);
    await create(store, single('text'), each('a', 'A'));
    await change(store, 'single', [column('c1', 'text')]);
    await store.transact(async (tx) => {
      await tx.tables.change({ name: 'single', columns: [column('c1', 'text', true)] }).catch(() => {});
      await tx.tables.append('single', each('b'));
    });
    expect(await firstColumn(store)).toEqual(['a', 'a', 'b']);
  });
}
