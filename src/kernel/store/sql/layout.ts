import { createHash } from 'node:crypto';
import { WORDS_VERSION } from '../search/words.ts';
import type { Collection, Field, ScalarType } from '../types.ts';
import { type Dialect, quote } from './dialect.ts';
import type { SearchTables } from './search-dialect.ts';
import type { Coded } from './views.ts';
import { viewLayout } from './views.ts';

export interface Column<T> {
  readonly field: string;
  readonly name: string;
  readonly type: ScalarType;
  readonly source: Field<T>;
  /** Never null. */
  readonly required?: boolean;
  readonly coded?: Coded;
}

export interface SetTable<T> {
  readonly field: string;
  readonly table: string;
  readonly source: Field<T>;
}

/** The tables and columns of a collection; names are quoted for use in SQL. */
export interface Layout<T> {
  readonly collection: Collection<T>;
  readonly table: string;
  readonly columns: readonly Column<T>[];
  readonly sets: readonly SetTable<T>[];
  /** Includes the key, as `key`. */
  readonly columnOf: ReadonlyMap<string, Column<T>>;
  readonly setOf: ReadonlyMap<string, SetTable<T>>;
  /** Undefined unless the collection declares full text. */
  readonly search: SearchTables | undefined;
}

/** Filters may use the key like a field, so documents need not contain their own key. */
const KEY: Column<unknown> = {
  field: 'key',
  name: 'key',
  type: 'text',
  source: { type: 'text', of: () => undefined },
  required: true,
};

export function layoutOf<T>(collection: Collection<T>, dialect: Dialect): Layout<T> {
  const view = viewLayout(collection.name, dialect);
  const columns: Column<T>[] = [];
  const sets: SetTable<T>[] = [];
  for (const [field, source] of Object.entries(collection.fields)) {
    if (source.type === 'set') {
      sets.push({ field, table: dialect.table(identifier('s', collection.name, field)), source });
    } else {
      const required = view?.required.has(field) ?? false;
      const coded = view?.coded.get(field);
      columns.push({ field, name: quote(`f.${field}`), type: source.type, source, required, ...(coded && { coded }) });
    }
  }
  return {
    collection,
    table: view?.table ?? dialect.table(identifier('c', collection.name)),
    columns,
    sets,
    columnOf: new Map([KEY, ...columns].map((column) => [column.field, column])),
    setOf: new Map(sets.map((set) => [set.field, set])),
    search: collection.search && searchTablesOf(collection, dialect),
  };
}

/** Also for a collection without full text: an earlier declaration may have had it. */
export function searchTablesOf({ name }: Collection<never>, dialect: Dialect): SearchTables {
  return { words: dialect.table(identifier('w', name)), index: quote(identifier('x', name)) };
}

/** The statement that creates the table of documents, under its own name or a temporary one during a rebuild. */
export function createTable<T>(layout: Layout<T>, dialect: Dialect, name = layout.table): string {
  const columns = layout.columns.map((column) => `, ${column.name} ${dialect.types[column.type]}`).join('');
  const text = `${dialect.types.text} NOT NULL`;
  if (layout.search) {
    // The body is the last column: SQLite would have to read all of a long body to reach columns after it.
    const { linkColumn } = dialect.search;
    const key = `key ${text} ${linkColumn === '' ? 'PRIMARY KEY' : 'UNIQUE'}`;
    return `CREATE TABLE ${name} (${linkColumn}${key}, etag ${text}${columns}, body ${text});`;
  }
  const options = layout.collection.wide ? '' : dialect.tableOptions;
  return `CREATE TABLE ${name} (key ${text} PRIMARY KEY, etag ${text}, body ${text}${columns})${options};`;
}

export function createIndexes<T>(layout: Layout<T>, dialect: Dialect): string[] {
  return layout.collection.indexes.map((fields, position) => {
    const name = quote(identifier('i', layout.collection.name, String(position), fields.join('.')));
    const columns = fields.map((field) => layout.columnOf.get(field)!.name + dialect.ascending);
    return `CREATE INDEX ${name} ON ${layout.table} (${[...columns, 'key'].join(', ')});`;
  });
}

export function createSetTables<T>(layout: Layout<T>, dialect: Dialect): string[] {
  const text = `${dialect.types.text} NOT NULL`;
  return layout.sets.flatMap((set) => [
    `CREATE TABLE ${set.table} (value ${text}, key ${text}, PRIMARY KEY (value, key))${dialect.tableOptions};`,
    `CREATE INDEX ${quote(identifier('k', layout.collection.name, set.field))} ON ${set.table} (key);`,
  ]);
}

export const createSearchTables = ({ search }: Layout<never>, dialect: Dialect): string[] =>
  search ? dialect.search.createTables(search) : [];

export const createSearchIndexes = ({ search }: Layout<never>, dialect: Dialect): string[] =>
  search ? dialect.search.createIndexes(search) : [];

/**
 * Changes whenever the stored form of this collection changes. It lists the collection's sets, so that their tables can be dropped later.
 */
export function signatureOf(collection: Collection<never>): string {
  const sets = Object.entries(collection.fields).filter(([, { type }]) => type === 'set');
  return `${digest(declarationOf(collection))}:${sets.map(([name]) => name).join()}`;
}

/**
 * The version is included only if there are columns, because an upgrade may change their values. Version 1 is left out, as in releases
 * without versions.
 */
function declarationOf({ name, fields, indexes, search, version }: Collection<never>): string {
  const columns = Object.entries(fields).map(([field, { type }]) => [field, type]);
  const declared: unknown[] = [name, columns, indexes];
  if (version > 1 && (columns.length > 0 || search)) declared.push(version);
  if (search) declared.push({ words: WORDS_VERSION, parts: search.parts, within: search.within });
  return JSON.stringify(declared);
}

/** Returns the names of the set tables listed in a signature. */
export function setTablesOf(collection: Collection<never>, signature: string): string[] {
  const sets = signature.slice(signature.indexOf(':') + 1);
  return sets === '' ? [] : sets.split(',').map((field) => identifier('s', collection.name, field));
}

export function signatureOfAll(collections: readonly Collection<never>[]): string {
  return digest(collections.map(declarationOf).sort().join());
}

/** PostgreSQL keeps up to 63 bytes of an identifier; longer ones end in a digest instead. */
const LONGEST_IDENTIFIER = 60;
const DIGEST_LENGTH = 16;

export function identifier(...parts: string[]): string {
  const full = parts.join('.');
  if (Buffer.byteLength(full) <= LONGEST_IDENTIFIER) return full;
  const start = Buffer.from(full).subarray(0, LONGEST_IDENTIFIER - DIGEST_LENGTH - 1);
  return `${start.toString('latin1').replace(/[^ -~]/g, '_')}.${digest(full)}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, DIGEST_LENGTH);
}
