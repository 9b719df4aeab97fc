import { readDocument } from '../document.ts';
import { documentDoesNotFit, StoreError } from '../errors.ts';
import { MIGRATIONS, refuseNewer, SCHEMA_VERSION } from '../migrations.ts';
import { compareReleases, oldestOf, type SchemaOptions } from '../release.ts';
import { POSTGRES, POSTGRES_SCHEMA, quote } from '../sql/dialect.ts';
import {
  createIndexes,
  createSearchIndexes,
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
import type { DocumentRow } from '../types.ts';
import type { Connection } from './connection.ts';
import { createFunctions, FUNCTIONS_SIGNATURE } from './functions.ts';
import { ManyDocuments } from './many.ts';
import { CREATE_NODES } from './nodes.ts';
import { noteEarlierWriters } from './stale.ts';

const REBUILD_BATCH = 1000;
const OLDEST_SERVER = 13;
const META = 'SELECT name, value FROM cloudjar.meta';
const REMEMBER = `
  INSERT INTO cloudjar.meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

/**
 * Returns true if the database already has what this release and these collections need; costs one or two reads. Throws if this release is
 * too old.
 */
export async function isPrepared(on: Connection, options: SchemaOptions): Promise<boolean> {
  const { rows } = await on.query(
    `SELECT to_regclass('cloudjar.meta')::text, to_regclass('cloudjar.nodes')::text, current_setting('server_version_num')::int / 10000`,
  );
  const [meta, nodes, server] = rows[0]!;
  if (Number(server) < OLDEST_SERVER) {
    throw new StoreError('UNREACHABLE', `the database is PostgreSQL ${server}; ${OLDEST_SERVER} or later is needed`);
  }
  if (meta === null || nodes === null) return false;
  const known = await readMeta(on);
  const version = Number(known.get('version'));
  refuseNewer(version);
  return (
    version === SCHEMA_VERSION &&
    known.get('functions') === FUNCTIONS_SIGNATURE &&
    known.get('signature') === signatureOfAll(options.collections) &&
    known.get('oldest') === oldestOf(known.get('oldest'), options) &&
    standing(known, options) === 'same'
  );
}

/** Compares this release with the one that prepared the database last. */
function standing(known: ReadonlyMap<string, string>, { release }: SchemaOptions): 'earlier' | 'same' | 'later' {
  const noted = known.get('release');
  if (release === undefined) return 'same';
  const difference = noted === undefined ? 1 : compareReleases(release, noted);
  return difference < 0 ? 'earlier' : difference === 0 ? 'same' : 'later';
}

/** Call in a transaction. Nodes that start together take turns. */
export async function prepareSchema(on: Connection, options: SchemaOptions): Promise<void> {
  const { collections, release } = options;
  await on.query(`SELECT pg_advisory_xact_lock(hashtextextended('cloudjar.schema', 0))`);
  await on.query(`CREATE SCHEMA IF NOT EXISTS ${POSTGRES_SCHEMA}`);
  await migrate(on, options);
  // Not a migration: releases that do not know this table can run beside those that do.
  await on.query(CREATE_NODES);
  const known = await readMeta(on);
  const earlier = standing(known, options) === 'earlier';
  if (known.get('functions') !== FUNCTIONS_SIGNATURE && !(earlier && known.has('functions'))) {
    await createFunctions(on);
    await on.query(REMEMBER, ['functions', FUNCTIONS_SIGNATURE]);
  }
  for (const collection of collections) {
    const name = `collection:${collection.name}`;
    const signature = signatureOf(collection);
    const found = known.get(name);
    if (found === signature) continue;
    const layout = layoutOf(collection, POSTGRES);
    if (found !== undefined && earlier) {
      await refuseMissing(on, layout, `release ${known.get('release')} changed it, and this is release ${release}`);
      continue;
    }
    if (found === undefined) await create(on, layout);
    else await rebuild(on, layout, found);
    await on.query(REMEMBER, [name, signature]);
  }
  // A node of an earlier release changes none of the records in `meta`.
  if (earlier) return;
  await on.query(REMEMBER, ['signature', signatureOfAll(collections)]);
  const oldest = oldestOf(known.get('oldest'), options);
  if (oldest !== undefined) await on.query(REMEMBER, ['oldest', oldest]);
  if (release !== undefined) await on.query(REMEMBER, ['release', release]);
}

async function migrate(on: Connection, options: SchemaOptions): Promise<void> {
  const { rows } = await on.query(`
    SELECT to_regclass('cloudjar.meta')::text,
      (SELECT count(*) FROM pg_class WHERE relnamespace = '${POSTGRES_SCHEMA}'::regnamespace)`);
  const [meta, relations] = rows[0]!;
  if (meta === null && Number(relations) > 0) {
    throw new StoreError(
      'FOREIGN_FOLDER',
      `the schema ${POSTGRES_SCHEMA} of the database holds tables that are not a jar's`,
    );
  }
  const known = meta === null ? new Map<string, string>() : await readMeta(on);
  const version = Number(known.get('version') ?? 0);
  refuseNewer(version);
  // Checked again under the lock: another node may have prepared the schema since `isPrepared`.
  oldestOf(known.get('oldest'), options);
  if (version === SCHEMA_VERSION) return;
  for (const migration of MIGRATIONS) if (migration.version > version) await script(on, migration.postgres);
  await on.query(REMEMBER, ['version', String(SCHEMA_VERSION)]);
}

/** An earlier release uses the table of a later one as it is. Its columns still exist unless the later release has removed them. */
async function refuseMissing(on: Connection, { collection, table, columns, sets, search }: Layout<never>, why: string) {
  const { rows } = await on.query('SELECT attname::text FROM pg_attribute WHERE attrelid = $1::regclass', [table]);
  const there = new Set(rows.map(([name]) => quote(String(name))));
  const missing = columns.filter(({ name }) => !there.has(name)).map(({ field }) => field);
  for (const set of sets) {
    const found = await on.query('SELECT to_regclass($1)::text', [set.table]);
    if (found.rows[0]?.[0] === null) missing.push(set.field);
  }
  if (search) {
    const found = await on.query('SELECT to_regclass($1)::text', [search.words]);
    if (found.rows[0]?.[0] === null) missing.push('full text');
  }
  if (missing.length === 0) return;
  const fields = missing.join(', ');
  throw new StoreError('NEWER_VERSION', `the table of ${collection.name} has no ${fields} any more: ${why}`);
}

async function create(on: Connection, layout: Layout<never>): Promise<void> {
  const statements = [
    createTable(layout, POSTGRES),
    ...createSetTables(layout, POSTGRES),
    ...createSearchTables(layout, POSTGRES),
    ...createIndexes(layout, POSTGRES),
    ...createSearchIndexes(layout, POSTGRES),
    ...noteEarlierWriters(layout),
  ];
  await script(on, statements.join('\n'));
}

/** The declaration has changed since the table was filled: fills a new table from the documents and swaps it in. */
async function rebuild(on: Connection, layout: Layout<never>, signature: string): Promise<void> {
  const { name } = layout.collection;
  const fresh = POSTGRES.table(identifier('n', name));
  await on.query(`LOCK TABLE ${layout.table} IN ACCESS EXCLUSIVE MODE`);
  for (const table of setTablesOf(layout.collection, signature)) await on.query(`DROP TABLE ${POSTGRES.table(table)}`);
  await script(on, POSTGRES.search.drop(searchTablesOf(layout.collection, POSTGRES)).join('\n'));
  const tables = [createTable(layout, POSTGRES, fresh), ...createSetTables(layout, POSTGRES)];
  await script(on, [...tables, ...createSearchTables(layout, POSTGRES)].join('\n'));
  let after = '';
  for (;;) {
    const page = `SELECT key, etag, body FROM ${layout.table} WHERE key > $1 ORDER BY key LIMIT ${REBUILD_BATCH}`;
    const { rows } = await on.query(page, [after]);
    if (rows.length === 0) break;
    await insertDocuments(on, layout, fresh, rows as [string, string, string][]);
    after = String(rows.at(-1)![0]);
  }
  await on.query(`DROP TABLE ${layout.table}`);
  await on.query(`ALTER TABLE ${fresh} RENAME TO ${quote(identifier('c', name))}`);
  const indexes = [...createIndexes(layout, POSTGRES), ...createSearchIndexes(layout, POSTGRES)];
  await script(on, [...indexes, ...noteEarlierWriters(layout)].join('\n'));
}

/** Copies stored documents into `table`, with the columns and sets computed from them. */
export async function insertDocuments(
  on: Connection,
  layout: Layout<never>,
  table: string,
  rows: readonly DocumentRow[],
): Promise<void> {
  const many = new ManyDocuments(layout);
  for (const [key, etag, body] of rows) {
    try {
      many.add(key, etag, body, readDocument(layout.collection, key, etag, body));
    } catch (error) {
      throw documentDoesNotFit(layout.collection, key, error);
    }
  }
  await many.insert(on, table);
}

async function readMeta(on: Connection): Promise<Map<string, string>> {
  const { rows } = await on.query(META);
  return new Map(rows as [string, string][]);
}

/** Runs statements without values, separated by semicolons. */
async function script(on: Connection, statements: string): Promise<void> {
  if (statements !== '') await on.query(statements);
}
