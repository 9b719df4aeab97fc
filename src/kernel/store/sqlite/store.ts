import type { Store } from '../types.ts';
import { Database } from './database.ts';
import { type SqliteOptions, SqliteStore } from './engine.ts';
import { foreign, prepareSchema } from './schema.ts';

export type { SqliteOptions } from './engine.ts';

const NOT_A_DATABASE = 26;

export async function openSqlite(options: SqliteOptions): Promise<Store> {
  const writer = openWriter(options);
  try {
    prepareSchema(writer, options.collections);
    return new SqliteStore(writer, options);
  } catch (error) {
    writer.close();
    throw asStoreError(error);
  }
}

function openWriter({ file }: SqliteOptions): Database {
  try {
    const db = new Database(file);
    if (file !== undefined) db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    return db;
  } catch (error) {
    throw asStoreError(error);
  }
}

function asStoreError(error: unknown): unknown {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return code === NOT_A_DATABASE ? foreign({ cause: error }) : error;
}
