import { collection } from '../collection.ts';
import { StoreError } from '../errors.ts';
import type { StoreOptions } from '../options.ts';
import type { Collection } from '../types.ts';
import { type ColumnDefinition, type ColumnType, NUMBER_COLUMN, type TableDefinition } from './types.ts';

/** The definitions of existing typed tables, by name. A table and its document are created, changed and dropped in one transaction. */
export const tableDefinitions = collection<TableDefinition>('store.tables', { cached: true });

/** The spelling in which a text column shows a text, keyed by table, column and folded text (see `spellings.ts`). */
export const spellings = collection<string>('store.spellings');

// biome-ignore lint/suspicious/noExplicitAny: collections of any document type are opened together
export const storeCollections: readonly Collection<any>[] = [tableDefinitions, spellings];

/** Adds the store's own collections, which every store has. */
export function withStoreCollections<Options extends Pick<StoreOptions, 'collections'>>(options: Options): Options {
  return { ...options, collections: [...new Set([...options.collections, ...storeCollections])] };
}

const TABLE_NAME = /^[a-z][a-z0-9_]{0,47}$/;
const COLUMN_NAME = /^c\d{1,9}$/;
const MOST_COLUMNS = 500;
const TYPES: ReadonlySet<unknown> = new Set<ColumnType>(['int64', 'decimal', 'double', 'boolean', 'datetime', 'text']);

/** Returns what is wrong with a definition, or undefined if it is valid. Names become part of SQL, so all other input is rejected. */
export function mistakeIn(definition: unknown): string | undefined {
  if (!isRecord(definition)) return 'it is not an object';
  const { name, columns } = definition;
  if (typeof name !== 'string' || !TABLE_NAME.test(name)) return 'its name is not valid';
  if (!Array.isArray(columns) || columns.length === 0 || columns.length > MOST_COLUMNS)
    return `it has no columns, or more than ${MOST_COLUMNS}`;
  const names = new Set<unknown>([NUMBER_COLUMN]);
  for (const column of columns) {
    if (!isRecord(column) || typeof column.name !== 'string' || !COLUMN_NAME.test(column.name))
      return 'the name of a column is not valid';
    if (!TYPES.has(column.type) || typeof column.unique !== 'boolean')
      return `the column ${column.name} has no type, or does not say whether it is unique`;
    if (names.has(column.name)) return `there are two columns named ${column.name}`;
    names.add(column.name);
  }
  return undefined;
}

export function checkDefinition(definition: TableDefinition): void {
  const mistake = mistakeIn(definition);
  if (mistake !== undefined) throw new StoreError('BAD_QUERY', `the table definition is not valid: ${mistake}`);
}

export function checkTableName(name: string): string {
  if (!TABLE_NAME.test(name))
    throw new StoreError('BAD_QUERY', `'${name.slice(0, 100)}' cannot be the name of a table`);
  return name;
}

/** Drops members that a caller may have added; the result is stored. */
export function plainDefinition({ name, columns }: TableDefinition): TableDefinition {
  return { name, columns: columns.map(({ name: column, type, unique }) => ({ name: column, type, unique })) };
}

export const textColumns = ({ columns }: TableDefinition): ColumnDefinition[] =>
  columns.filter(({ type }) => type === 'text');

export const uniqueColumns = ({ columns }: TableDefinition): ColumnDefinition[] =>
  columns.filter(({ unique }) => unique);

export function unknownTable(name: string): StoreError {
  return new StoreError('UNKNOWN_TABLE', `there is no table '${name}'`);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
