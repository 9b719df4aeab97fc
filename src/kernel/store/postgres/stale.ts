import { readDocument, stampOf } from '../document.ts';
import { searchableOf } from '../search/indexed.ts';
import { POSTGRES } from '../sql/dialect.ts';
import { type Layout, signatureOf } from '../sql/layout.ts';
import { columnValues } from '../sql/writes.ts';
import type { Collection } from '../types.ts';
import { setValues } from '../values.ts';
import type { Connection } from './connection.ts';
import { writeWords } from './word-index.ts';

/**
 * Nodes of an earlier release may write beside this one during a rolling upgrade. They compute columns as that release declares them, or
 * leave out columns that they do not know, so this release cannot filter and order by them. A trigger records the documents that such nodes
 * write, which it recognises by their etags, and nodes of this release recompute their columns.
 */

const NOTED_AT_ONCE = 500;
const NOTED = `SELECT collection, key FROM cloudjar.stale ORDER BY collection, key LIMIT ${NOTED_AT_ONCE}`;

const SIGNATURE = 'SELECT value FROM cloudjar.meta WHERE name = $1';

const hasComputed = ({ fields, search }: Collection<never>): boolean =>
  Object.keys(fields).length > 0 || search !== undefined;

/** The collections that other nodes may write in an earlier version. */
export const versionedCollections = (collections: readonly Collection<never>[]): Collection<never>[] =>
  collections.filter((each) => each.version > 1 && hasComputed(each));

/** Does not fire for updates that keep the etag: those are made by `refresh`. */
export function noteEarlierWriters({ collection, table }: Layout<never>): string[] {
  if (versionedCollections([collection]).length === 0) return [];
  return [
    `CREATE TRIGGER earlier_writer AFTER INSERT OR UPDATE OF etag ON ${table} FOR EACH ROW
     WHEN (NEW.etag NOT LIKE '${stampOf(collection.version)}%') EXECUTE FUNCTION cloudjar.note_stale('${collection.name}');`,
  ];
}

export interface StaleDocument {
  readonly collection: string;
  readonly key: string;
}

export async function staleDocuments(on: Connection): Promise<StaleDocument[]> {
  const { rows } = await on.query(NOTED);
  return rows.map(([collection, key]) => ({ collection: String(collection), key: String(key) }));
}

/**
 * Recomputes the columns and sets of a document, in a transaction of its own. The document is locked before its row in `stale` is removed:
 * a writer that holds the document waits for no such row, and a later writer inserts a new row.
 */
export async function refresh(on: Connection, layout: Layout<never>, key: string): Promise<void> {
  const { table, collection, columns, sets, search } = layout;
  const { rows } = await on.query(`SELECT etag, body FROM ${table} WHERE key = $1 FOR UPDATE`, [key]);
  // A later release may have changed the table's layout. Its nodes then refresh the document; none can start a rebuild while the document
  // is locked.
  const signature = await on.query(SIGNATURE, [`collection:${collection.name}`]);
  if (signature.rows[0]?.[0] !== signatureOf(collection)) return;
  if (rows.length > 0) {
    const [etag, body] = rows[0] as [string, string];
    const document = readDocument(collection, key, etag, body);
    const assigned = columns.map(({ name }, i) => `${name} = $${i + 2}`).join(', ');
    if (assigned !== '')
      await on.query(`UPDATE ${table} SET ${assigned} WHERE key = $1`, [
        key,
        ...columnValues(layout, POSTGRES, document),
      ]);
    for (const set of sets) {
      await on.query(`DELETE FROM ${set.table} WHERE key = $1`, [key]);
      const values = setValues(set.source, document);
      await on.query(`INSERT INTO ${set.table} (value, key) SELECT unnest($1::text[]), $2`, [values, key]);
    }
    if (search) {
      const written = { key, searchable: searchableOf(collection, document) };
      await writeWords(on, layout, [written], { areNew: false });
    }
  }
  await forgetStale(on, collection, [key]);
}

export async function forgetStale(on: Connection, { name }: Collection<never>, keys: readonly string[]): Promise<void> {
  await on.query('DELETE FROM cloudjar.stale WHERE collection = $1 AND key = ANY($2)', [name, keys]);
}
