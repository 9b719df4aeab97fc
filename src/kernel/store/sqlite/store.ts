import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { StoreError } from '../errors.ts';
import { createOwnerOnly } from '../owner-only.ts';
import { withStoreCollections } from '../typed/definitions.ts';
import type { Store } from '../types.ts';
import { Database } from './database.ts';
import { type SqliteOptions, SqliteStore } from './engine.ts';
import { checkIntegrity } from './integrity.ts';
import { lossOf, readLogIndex } from './log-index.ts';
import { prepareSchema } from './schema.ts';

export type { SqliteOptions } from './engine.ts';

// Result codes of SQLite: the lowest eight bits are the primary code, the rest is detail.
const PRIMARY_CODE = 0xff;
const CORRUPT = 11;
const FULL = 13;
const NOT_A_DATABASE = 26;

/**
 * The log is copied into the file after this many pages (16 MB). This is four times SQLite's default: pages that every write changes, such
 * as those of indexes, are copied a fourth as often, which made receiving mail a quarter faster.
 */
const LOG_PAGES = 4000;

export async function openSqlite(given: SqliteOptions): Promise<Store> {
  const options = withStoreCollections(given);
  const { file } = options;
  const isNew = file === undefined || !existsSync(file);
  const log = isNew ? undefined : readLogIndex(file);
  if (file !== undefined) createOwnerOnly(file);
  const writer = openWriter(options);
  // Checked before anything is written. SQLite has now read as much of the log as it can, and treats that as the whole log.
  const loss = isNew ? undefined : lossOf(log, readLogIndex(file));
  if (loss !== undefined && file !== undefined) options.damaged?.(`${basename(file)}: ${loss}`);
  try {
    prepareSchema(writer, options);
    const store = new SqliteStore(writer, options);
    const { damaged } = options;
    if (!isNew && damaged) {
      const told = (reason: string): void => damaged(`${basename(file)} is damaged: ${reason}`);
      store.stopChecking = checkIntegrity({ file, damaged: told });
    }
    return store;
  } catch (error) {
    writer.close();
    throw asStoreError(error, options.file);
  }
}

function openWriter({ file }: SqliteOptions): Database {
  try {
    const db = new Database(file);
    try {
      // The first read makes SQLite read the log that a killed process has left. Savepoint copies of pages stay in memory; as a file, they
      // were most of what a transaction wrote.
      if (file !== undefined)
        db.exec(
          `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = ${LOG_PAGES}; PRAGMA user_version`,
        );
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  } catch (error) {
    throw asStoreError(error, file);
  }
}

/** The message names the file, because the reader has to repair or replace it. */
function asStoreError(error: unknown, file = 'the database in memory'): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof StoreError) {
    return error.code === 'FOREIGN_FOLDER' ? foreign(`${file} is not a jar's database`, error) : error;
  }
  const code = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & PRIMARY_CODE : undefined;
  if (code === CORRUPT || code === NOT_A_DATABASE) {
    return foreign(`${file} is damaged or not a jar's database: ${error.message}`, error);
  }
  if (code === FULL) {
    return new StoreError('UNWRITABLE', `${file} cannot be written to: the disk is full`, { cause: error });
  }
  return error;
}

const foreign = (message: string, cause: Error): StoreError => new StoreError('FOREIGN_FOLDER', message, { cause });
