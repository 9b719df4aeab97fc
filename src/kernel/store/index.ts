import type { PostgresOptions } from './postgres/store.ts';
import type { Store } from './types.ts';

export { awaitCommit } from './await-commit.ts';
export { boolean, collection, number, set, text } from './collection.ts';
export { deleteAll, deleteSome, deletionSteps, SLICE } from './delete-some.ts';
export { DuplicateValueError, StoreError, type StoreErrorCode, UnconvertibleError, UnfitValueError } from './errors.ts';
export { allOf, atLeast, atMost, eq } from './filters.ts';
export { type DataFolder, openFolder } from './folder.ts';
export { compareScalars } from './functions.ts';
export { isLike } from './like.ts';
export type { PostgresOptions } from './postgres/store.ts';
export { readCached } from './read-cached.ts';
export { wordsOf } from './search/words.ts';
export type { Sealer, SecretsIn } from './secrets.ts';
export { openSqlite, type SqliteOptions } from './sqlite/store.ts';
export { foldText } from './typed/fold.ts';
export { defineLibrary } from './typed/library.ts';
export { plainText } from './typed/plain-text.ts';
export { END_OF_SERIALS, FIRST_SERIAL, SERIAL_OF_1970, serialAt } from './typed/serial.ts';
export {
  type Cell,
  type ColumnDefinition,
  type ColumnType,
  type FunctionLibrary,
  keyColumn,
  NUMBER_COLUMN,
  type NumberedRow,
  type SelectBounds,
  type Selected,
  type Statement,
  type TableDefinition,
  type TableReads,
  type TableWrites,
} from './typed/types.ts';
export type {
  Change,
  Collection,
  CommitNotice,
  Expression,
  Filter,
  Json,
  KindStats,
  NewWork,
  Order,
  Page,
  Position,
  Query,
  Reader,
  ReadLock,
  Scalar,
  Search,
  SearchTexts,
  Store,
  Stored,
  Tx,
  WorkItem,
  WorkStats,
} from './types.ts';
export { columnValue, storable } from './values.ts';
export { changeRecords, MOST_COUNTED, type StoredChange, type StoredWork, WORK_STATES, workItems } from './views.ts';
export { pagesOf, readAll, walk } from './walk.ts';

/** Imports its engine when called: a jar on SQLite starts faster without it. */
export async function openPostgres(options: PostgresOptions): Promise<Store> {
  const engine = await import('./postgres/store.ts');
  return engine.openPostgres(options);
}
