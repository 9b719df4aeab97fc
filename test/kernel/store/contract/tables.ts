import { expect, test } from 'vitest';
import type {
  Cell,
  ColumnDefinition,
  ColumnType,
  Statement,
  TableDefinition,
} from '../../../../src/kernel/store/typed/types.ts';
import type { Store } from '../../../../src/kernel/store/types.ts';
import { type Engine, openNew } from './engines.ts';

const column = (name: string, type: ColumnType, unique = false): ColumnDefinition => ({ name, type, unique });

const ALL_TYPES: TableDefinition = {
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
const EMPTY: Cell[] = [null, null, null, null, null, null];

const tableOf = (type: ColumnType, unique = false, name = 'single'): TableDefinition => ({
  name,
  columns: [column('c1', type, unique)],
});

async function cellsOf(store: Store, name: string): Promise<readonly (readonly Cell[])[]> {
  return (await store.tables.rows(name, 0, 100_000)).map(({ cells }) => cells);
}

const create = (store: Store, table: TableDefinition, rows: readonly (readonly Cell[])[] = []): Promise<void> =>
  store.transact(async (tx) => {
    await tx.tables.create(table);
    await tx.tables.append(table.name, rows);
  });

const selecting = (store: Store, name: string, what: string, rest = ''): Pick<Statement, 'text' | 'values'> => ({
  text: `SELECT ${what} FROM ${store.tables.sqlName(name)}${rest}`,
  values: [],
});

const BOUNDS = { rows: 1000, timeMs: 60_000 };

export function tableTests(engine: Engine): void {
  test('every type comes out as it went in, at its extremes too', async (context) => {
    const store = await openNew(engine, context);
    const rows: Cell[][] = [
      EMPTY,
      [0, 0, 0, 0, 0, ''],
      [1, 125_000, 12.5, 1, 45_296.544_548_611_11, 'Text'],
      [2 ** 53 - 1, -(2 ** 53 - 1), Number.MAX_VALUE, 0, -693_593, 'ä ß İ 😀 \u2028'],
      [2n ** 63n - 1n, -(2n ** 63n), Number.MIN_VALUE, 1, 2_958_465.999, '"\\{},\'\n\t'],
      [-(2n ** 63n), 2n ** 63n - 1n, -Number.MAX_VALUE, 0, 1 / 3, ' blanks '],
      [-1, 1, 0.1 + 0.2, 1, 2 ** 21, 'NULL'],
    ];
    await create(store, ALL_TYPES, rows);
    expect(await store.tables.rows('all_types', 0, 100)).toEqual(rows.map((cells, i) => ({ number: i + 1, cells })));
    expect(await store.tables.count('all_types')).toBe(rows.length);
    const types = ALL_TYPES.columns.map(({ type }) => type);
    const statement = { ...selecting(store, 'all_types', 'c1, c2, c3, c4, c5, c6', ' ORDER BY n'), columns: types };
    expect(await store.tables.select(statement, BOUNDS)).toEqual({ rows, more: false });
  });

  test('text that no database keeps is kept as near as it can be', async (context) => {
    const store = await openNew(engine, context);
    await create(store, tableOf('text'), [['a\u0000b'], ['half \ud800 a pair']]);
    expect(await cellsOf(store, 'single')).toEqual([['a\ufffdb'], ['half \ufffd a pair']]);
  });
}
