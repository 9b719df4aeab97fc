import { readDocument } from '../document.ts';
import { StoreError } from '../errors.ts';
import { MIGRATIONS, refuseNewer, SCHEMA_VERSION } from '../migrations.ts';
import { oldestOf, type SchemaOptions } from '../release.ts';
import { quote, SQLITE } from '../sql/dialect.ts';
import {
  createIndexes,
  createSearchTables,
  createSetTables,
  createTable,
  identifier,
  type Layout,
  layoutOf,
  searchTablesOf,
  setTablesOf,
  signatureOf,
  signatureOfAll,
} from '../sql/layout.ts';
import { documentStatements, documentValues } from '../sql/writes.ts';
import type { DocumentRow } from '../types.ts';
import { setValues } from '../values.ts';
import { bound, type Database } from './database.ts';
import { WordIndex } from './word-index.ts';

/** "CJAR": SQLite stores this number in the file header, so that programs can recognise their own files. */
const APPLICATION_ID = 0x434a4152;

const NOTED = `SELECT name, value FROM meta WHERE name IN ('signature', 'oldest')`;

/** Prepares the tables of a file for this release and these collections; does nothing if they are up to date. */
export function prepareSchema(db: Database, options: SchemaOptions): void {
  const { collections } = options;
  const version = currentVersion(db);
  const signature = signatureOfAll(collections);
  const noted = new Map(version === 0 ? [] : (db.rows(NOTED) as [string, string][]));
  const oldest = oldestOf(noted.get('oldest'), options);
  const prepared = noted.get('signature') === signature && noted.get('oldest') === oldest;
  if (version === SCHEMA_VERSION && prepared) return;
  // All in one transaction, so that the first start waits for the disk only once.
  inTransaction(db, () => {
    if (version < SCHEMA_VERSION) migrate(db, version);
    const known = new Map(db.rows(`SELECT name, value FROM meta WHERE name LIKE 'collection:%'`) as [string, string][]);
    const fresh: string[] = [];
    for (const collection of collections) {
      const name = `collection:${collection.name}`;
      const own = signatureOf(collection);
      const found = known.get(name);
      if (found === own) continue;
      const layout = layoutOf(collection, SQLITE);
      if (found === undefined) {
        fresh.push(createTable(layout, SQLITE), ...createSetTables(layout, SQLITE), ...createIndexes(layout, SQLITE));
        fresh.push(...createSearchTables(layout, SQLITE));
      } else rebuild(db, layout, found);
      remember(db, name, own);
    }
    db.exec(fresh.join('\n'));
    remember(db, 'signature', signature);
    if (oldest !== undefined) remember(db, 'oldest', oldest);
  });
}

/** Returns 0 for a new file. Throws if the file does not belong to a jar, or if a later release has written it. */
function currentVersion(db: Database): number {
  const applicationId = Number(db.row('PRAGMA application_id')?.[0]);
  const version = Number(db.row('PRAGMA user_version')?.[0]);
  if (applicationId !== APPLICATION_ID) {
    const tables = Number(db.row('SELECT count(*) FROM sqlite_schema')?.[0]);
    if (tables > 0 || applicationId !== 0) throw foreign();
  }
  refuseNewer(version);
  return version;
}

function migrate(db: Database, from: number): void {
  for (const migration of MIGRATIONS) if (migration.version > from) db.exec(migration.sqlite);
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`);
}

function foreign(options?: ErrorOptions): StoreError {
  return new StoreError('FOREIGN_FOLDER', "the file is not a jar's database", options);
}

/** The declaration has changed since the table was filled: fills a new table from the documents and swaps it in. */
function rebuild(db: Database, layout: Layout<never>, signature: string): void {
  const { name } = layout.collection;
  const fresh = quote(identifier('n', name));
  for (const table of setTablesOf(layout.collection, signature)) db.exec(`DROP TABLE ${quote(table)}`);
  db.exec(SQLITE.search.drop(searchTablesOf(layout.collection, SQLITE)).join('\n'));
  const tables = [createTable(layout, SQLITE, fresh), ...createSetTables(layout, SQLITE)];
  db.exec([...tables, ...createSearchTables(layout, SQLITE)].join('\n'));
  const words = layout.search && new WordIndex(db, { ...layout, table: fresh }, layout.search);
  const { sets, insert } = documentStatements({ ...layout, table: fresh }, SQLITE);
  const put = db.prepare(insert);
  const add = sets.map((set) => db.prepare(set.add));
  for (const [key, etag, body] of db.prepare<DocumentRow>(`SELECT key, etag, body FROM ${layout.table}`).iterate()) {
    const document = readDocument(layout.collection, key, etag, body);
    put.run(...bound(documentValues(layout, SQLITE, key, etag, body, document)));
    for (const [i, set] of layout.sets.entries())
      for (const value of setValues(set.source, document)) add[i]!.run(value, key);
    words?.write(key, document);
  }
  db.exec(`DROP TABLE ${layout.table}; ALTER TABLE ${fresh} RENAME TO ${quote(identifier('c', name))};`);
  db.exec(createIndexes(layout, SQLITE).join('\n'));
}

function remember(db: Database, name: string, value: string): void {
  db.run('INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value', [
    name,
    value,
  ]);
}

function inTransaction(db: Database, body: () => void): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    body();
    db.exec('COMMIT');
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
