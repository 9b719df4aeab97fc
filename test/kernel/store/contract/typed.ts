import type { Cell, ColumnDefinition, ColumnType, TableDefinition } from '../../../../src/kernel/store/typed/types.ts';
import type { Store } from '../../../../src/kernel/store/types.ts';

export const column = (name: string, type: ColumnType, unique = false): ColumnDefinition => ({ name, type, unique });

/** A table with one column, `c1`. */
export const single = (type: ColumnType, { unique = false, name = 'single' } = {}): TableDefinition => ({
  name,
  columns: [column('c1', type, unique)],
});

export type Rows = readonly (readonly Cell[])[];

/** Rows of a table with one column. */
export const each = (...values: readonly Cell[]): Cell[][] => values.map((value) => [value]);

export const create = (store: Store, table: TableDefinition, rows: Rows = []): Promise<void> =>
  store.transact(async (tx) => {
    await tx.tables.create(table);
    await tx.tables.append(table.name, rows);
  });

export const append = (store: Store, name: string, rows: Rows): Promise<void> =>
  store.transact((tx) => tx.tables.append(name, rows));

export async function cellsOf(store: Store, name: string): Promise<Rows> {
  return (await store.tables.rows(name, 0, 1_000_000)).map(({ cells }) => cells);
}

export async function firstColumn(store: Store, name = 'single'): Promise<Cell[]> {
  return (await cellsOf(store, name)).map(([cell]) => cell!);
}
