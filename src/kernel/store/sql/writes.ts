import { StoreError } from '../errors.ts';
import type { Collection, WriteCondition } from '../types.ts';
import { columnValue } from '../values.ts';
import type { Dialect, SqlValue } from './dialect.ts';
import type { Layout } from './layout.ts';
import type { Statement } from './page.ts';
import { isView } from './views.ts';

/** The statements that read and write one document of a collection; each is prepared once. */
export interface DocumentStatements {
  readonly get: string;
  readonly upsert: string;
  /** Does nothing if the key exists. */
  readonly insert: string;
  /** Takes the same values as the others, in the same order. */
  readonly update: string;
  /** Like `update`, with the expected etag as an additional value. */
  readonly updateIfMatch: string;
  readonly delete: string;
  readonly deleteIfMatch: string;
  readonly sets: readonly { readonly clear: string; readonly add: string }[];
}

export function documentStatements(layout: Layout<never>, dialect: Dialect): DocumentStatements {
  const p = (position: number) => dialect.placeholder(position);
  const names = ['etag', 'body', ...layout.columns.map((column) => column.name)];
  const { table } = layout;
  const insert = `INSERT INTO ${table} (${names.join(', ')}, key) VALUES (${[...names, 'key'].map((_, i) => p(i + 1)).join(', ')})`;
  const assign = names.map((name, i) => `${name} = ${p(i + 1)}`).join(', ');
  const update = `UPDATE ${table} SET ${assign} WHERE key = ${p(names.length + 1)}`;
  return {
    get: `SELECT etag, body FROM ${table} WHERE key = ${p(1)}`,
    upsert: `${insert} ON CONFLICT (key) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    insert: `${insert} ON CONFLICT (key) DO NOTHING`,
    update,
    updateIfMatch: `${update} AND etag = ${p(names.length + 2)}`,
    delete: `DELETE FROM ${table} WHERE key = ${p(1)}`,
    deleteIfMatch: `DELETE FROM ${table} WHERE key = ${p(1)} AND etag = ${p(2)}`,
    sets: layout.sets.map((set) => ({
      clear: `DELETE FROM ${set.table} WHERE key = ${p(1)}`,
      add: `INSERT INTO ${set.table} (value, key) VALUES (${p(1)}, ${p(2)})`,
    })),
  };
}

/** Returns the values of the writing statements. */
export function documentValues<T>(
  layout: Layout<T>,
  dialect: Dialect,
  key: string,
  etag: string,
  body: string,
  document: T,
) {
  return [etag, body, ...columnValues(layout, dialect, document), key];
}

/** Returns the values of the columns for a document's declared fields. */
export function columnValues<T>(layout: Layout<T>, dialect: Dialect, document: T): SqlValue[] {
  return layout.columns.map((column) => {
    const value = columnValue(column.source, document);
    return value === null ? null : dialect.scalar(value);
  });
}

/** The statement that writes a document under a condition; it affects no row if the condition does not hold. */
export function writeStatement(sql: DocumentStatements, values: SqlValue[], condition: WriteCondition = {}): Statement {
  const { ifMatch, ifNoneMatch } = condition;
  if (ifNoneMatch !== undefined) return { sql: sql.insert, values };
  if (ifMatch === undefined) return { sql: sql.upsert, values };
  if (ifMatch === '*') return { sql: sql.update, values };
  return { sql: sql.updateIfMatch, values: [...values, ifMatch] };
}

export function deleteStatement(sql: DocumentStatements, key: string, ifMatch: string | undefined): Statement {
  if (ifMatch === undefined || ifMatch === '*') return { sql: sql.delete, values: [key] };
  return { sql: sql.deleteIfMatch, values: [key, ifMatch] };
}

export function preconditionFailed(collection: Collection<never>, key: string): StoreError {
  return new StoreError('PRECONDITION_FAILED', `the condition on '${key}' of ${collection.name} does not hold`);
}

/** A view shows rows of the kernel's own tables, which are not written as documents. */
export function refuseView({ name }: Collection<never>): void {
  if (isView(name)) throw new StoreError('BAD_QUERY', `'${name}' is read-only`);
}
