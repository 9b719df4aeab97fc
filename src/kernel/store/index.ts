export { boolean, collection, number, set, text } from './collection.ts';
export { StoreError, type StoreErrorCode } from './errors.ts';
export { type DataFolder, openFolder } from './folder.ts';
export { openPostgres, type PostgresOptions } from './postgres/store.ts';
export { openSqlite, type SqliteOptions } from './sqlite/store.ts';
