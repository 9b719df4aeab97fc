import { shortId } from '../../../../../kernel/ids/index.ts';
import type { Jar } from '../../../../../kernel/service/index.ts';
import { allOf, eq, pagesOf, type Tx } from '../../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../../kernel/values/index.ts';
import { type Content, keep } from '../../../blobs/staged.ts';
import type { Blob } from '../../../blobs/store.ts';
import { errors } from '../../../errors.ts';
import type { Securable } from '../../core/securables.ts';
import {
  type FileStats,
  fileKey,
  type TableFile,
  type TableState,
  type TableVersion,
  tableFiles,
  tableStates,
  tableVersions,
  versionKey,
} from '../collections.ts';
import { schemaOf } from '../column-store.ts';

/** The log of a table's data: every change of its files is a version. All functions run in the transaction that changes the table. */

type LogJar = Pick<Jar, 'clock'>;

const FILE_ID_LENGTH = 20;

/** A Parquet file to add to a table. */
export interface NewFile {
  /** Staged bytes, or the bytes of a file of a volume. */
  readonly bytes: Content | { readonly borrowed: Blob };
  /** Relative to the table's location. Default: generated. */
  readonly path?: string;
  readonly partitionValues?: Readonly<Record<string, string | null>>;
  readonly stats: FileStats;
}

/** The changes of a version. */
export interface Commit {
  /** `WRITE`, `DELETE`, `UPDATE`, `MERGE`, `TRUNCATE`: shown in the history. */
  readonly operation: string;
  readonly parameters?: JsonMembers;
  /** The id of the principal. */
  readonly by: string;
  readonly add?: readonly NewFile[];
  /** Ids of files, or all files of the table. */
  readonly remove?: readonly string[] | 'all';
}

/** Starts the log of a new table with an empty version 0. */
export async function beginLog(tx: Tx, jar: LogJar, table: Securable, by: string): Promise<void> {
  const timestamp = jar.clock.now();
  const version: TableVersion = {
    table: table.id,
    version: 0,
    timestamp,
    operation: 'CREATE TABLE',
    by,
    schema: schemaOf(table),
    added: 0,
    removed: 0,
  };
  await tx.put(tableVersions, versionKey(table.id, 0), version);
  await tx.put(tableStates, table.id, { table: table.id, version: 0, timestamp, files: 0, bytes: 0, rows: 0 });
}

/** Adds one file to a table. */
export const appendFile = (
  tx: Tx,
  jar: LogJar,
  table: Securable,
  file: NewFile,
  { by, operation = 'WRITE', parameters }: Pick<Commit, 'by' | 'parameters'> & Partial<Pick<Commit, 'operation'>>,
): Promise<TableVersion> =>
  replaceFiles(tx, jar, table, { by, operation, add: [file], ...(parameters && { parameters }) });

/**
 * Commits the next version of a table: removes and adds files. If a file to remove is already gone, another commit has changed the table
 * since it was read: nothing is written, and the caller may read and retry.
 */
export async function replaceFiles(
  tx: Tx,
  jar: LogJar,
  table: Securable,
  { operation, parameters, by, add = [], remove = [] }: Commit,
): Promise<TableVersion> {
  const before = await stateForUpdate(tx, table);
  const timestamp = Math.max(jar.clock.now(), before.timestamp);
  const version = before.version + 1;
  const at = { version, timestamp };
  const removed = remove === 'all' ? await removeAll(tx, table.id, at) : await removeSome(tx, table, remove, at);
  const added = await addFiles(tx, table.id, add, at);
  const state: TableState = {
    table: table.id,
    version,
    timestamp,
    files: before.files - removed.files + added.files,
    bytes: before.bytes - removed.bytes + added.bytes,
    rows: before.rows - removed.rows + added.rows,
  };
  const entry: TableVersion = {
    table: table.id,
    version,
    timestamp,
    operation,
    ...(parameters && { parameters }),
    by,
    schema: schemaOf(table),
    added: added.files,
    removed: removed.files,
  };
  await tx.put(tableStates, table.id, state);
  await tx.put(tableVersions, versionKey(table.id, version), entry);
  await recordCommit(tx, table, entry);
  return entry;
}

/**
 * For the change feed, and for jobs that wait for updates of the table. The names of ancestors would need further reads; followers that
 * need them read them.
 */
const recordCommit = (tx: Tx, { id, name, metastore }: Securable, entry: TableVersion): Promise<void> =>
  tx.change({
    source: 'platform',
    kind: 'commit',
    subject: `/metastores/${metastore}/table-versions/${id}/${entry.version}`,
    outcome: 'Succeeded',
    at: entry.timestamp,
    data: {
      kind: 'table',
      id,
      name,
      version: entry.version,
      operation: entry.operation,
      added: entry.added,
      removed: entry.removed,
    },
  });

/** Reads the state of a table and locks it until the transaction ends. */
async function stateForUpdate(tx: Tx, table: Pick<Securable, 'id' | 'name'>): Promise<TableState> {
  const state = (await tx.get(tableStates, table.id))?.value;
  if (!state)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `'${table.name}' has no data: it is a view, or was removed.` });
  return state;
}

interface At {
  readonly version: number;
  readonly timestamp: number;
}

interface Sum {
  files: number;
  bytes: number;
  rows: number;
}

async function addFiles(tx: Tx, table: string, add: readonly NewFile[], at: At): Promise<Sum> {
  const sum: Sum = { files: 0, bytes: 0, rows: 0 };
  for (const file of add) {
    const isBorrowed = 'borrowed' in file.bytes;
    const { blob, size } = 'borrowed' in file.bytes ? file.bytes.borrowed : await keep(tx, file.bytes);
    const id = shortId(FILE_ID_LENGTH);
    const document: TableFile = {
      table,
      id,
      path: file.path ?? `part-00000-${id}.c000.snappy.parquet`,
      blob,
      size,
      ...(isBorrowed && { borrowed: true }),
      partitionValues: file.partitionValues ?? {},
      stats: file.stats,
      addedIn: at.version,
      addedAt: at.timestamp,
    };
    await tx.put(tableFiles, fileKey(table, id), document);
    count(sum, document);
  }
  return sum;
}

async function removeSome(tx: Tx, table: Securable, ids: readonly string[], at: At): Promise<Sum> {
  const sum: Sum = { files: 0, bytes: 0, rows: 0 };
  for (const id of new Set(ids)) {
    const file = (await tx.get(tableFiles, fileKey(table.id, id)))?.value;
    if (!file || file.removedIn !== undefined)
      throw errors.ABORTED({
        reason: `The table '${table.name}' was changed by a concurrent write: a file that was read is no longer part of it. Retry the operation.`,
      });
    await tx.put(tableFiles, fileKey(table.id, id), gone(file, at));
    count(sum, file);
  }
  return sum;
}

async function removeAll(tx: Tx, table: string, at: At): Promise<Sum> {
  const sum: Sum = { files: 0, bytes: 0, rows: 0 };
  const filter = allOf(eq('table', table), eq('removed', null));
  for await (const page of pagesOf(tx, tableFiles, { filter })) {
    await tx.putAll(
      tableFiles,
      page.map(({ key, value }) => [key, gone(value, at)] as const),
    );
    for (const { value } of page) count(sum, value);
  }
  return sum;
}

const gone = (file: TableFile, { version, timestamp }: At): TableFile => ({
  ...file,
  removedIn: version,
  removedAt: timestamp,
});

function count(sum: Sum, { size, stats }: TableFile): void {
  sum.files++;
  sum.bytes += size;
  sum.rows += stats.numRecords;
}
