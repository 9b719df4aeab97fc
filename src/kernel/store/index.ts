import type { PostgresOptions } from './postgres/store.ts';
import type { Store } from './types.ts';

export { boolean, collection, number, set, text } from './collection.ts';
export { StoreError, type StoreErrorCode } from './errors.ts';
export { type DataFolder, openFolder } from './folder.ts';
export type { PostgresOptions } from './postgres/store.ts';
export { openSqlite, type SqliteOptions } from './sqlite/store.ts';

/** Loads its engine when called: a jar on SQLite starts faster without it. */
export async function openPostgres(options: PostgresOptions): Promise<Store> {
  const engine = await import('./postgres/store.ts');
  return engine.openPostgres(options);
}
