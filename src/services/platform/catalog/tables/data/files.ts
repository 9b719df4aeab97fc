import type { Readable } from 'node:stream';
import { allOf, atLeast, atMost, eq, type Filter, pagesOf, type Reader } from '../../../../../kernel/store/index.ts';
import { readRange, streamBlob } from '../../../blobs/store.ts';
import {
  fileKey,
  type TableFile,
  type TableState,
  type TableVersion,
  tableFiles,
  tableStates,
  tableVersions,
  versionKey,
} from '../collections.ts';

/** Reads the log of a table's data. `table` is always the id of the table. */

/** The newest version. Returns undefined for views and removed tables. */
export const stateOf = async (reader: Reader, table: string): Promise<TableState | undefined> =>
  (await reader.get(tableStates, table, 'none'))?.value;

export const versionOf = async (reader: Reader, table: string, version: number): Promise<TableVersion | undefined> =>
  (await reader.get(tableVersions, versionKey(table, version), 'none'))?.value;

/** The version that was the newest at a time. Returns undefined before the first version. */
export async function versionAt(reader: Reader, table: string, timestamp: number): Promise<TableVersion | undefined> {
  const { items } = await reader.query(tableVersions, {
    filter: allOf(eq('table', table), atMost('timestamp', timestamp)),
    order: [{ field: 'timestamp', descending: true }],
    limit: 1,
  });
  return items[0]?.value;
}

/** The first version at or after a time. Returns undefined if it does not exist yet. */
export async function versionFrom(reader: Reader, table: string, timestamp: number): Promise<TableVersion | undefined> {
  const { items } = await reader.query(tableVersions, {
    filter: allOf(eq('table', table), atLeast('timestamp', timestamp)),
    order: [{ field: 'timestamp' }],
    limit: 1,
  });
  return items[0]?.value;
}

/** The versions of a table, the newest first. */
export async function* history(reader: Reader, table: string): AsyncGenerator<TableVersion> {
  const query = { prefix: `${table}/`, order: [{ field: 'key', descending: true }] } as const;
  for await (const page of pagesOf(reader, tableVersions, query)) for (const { value } of page) yield value;
}

/** The files of a version, in pages: the current version, or an earlier one. */
export async function* filePages(
  reader: Reader,
  table: string,
  version?: number,
): AsyncGenerator<readonly TableFile[]> {
  const filter: Filter =
    version === undefined
      ? allOf(eq('table', table), eq('removed', null))
      : allOf(eq('table', table), atMost('added', version), {
          op: 'or',
          args: [eq('removed', null), { op: 'gt', field: 'removed', value: version }],
        });
  const order = [{ field: 'added' }];
  for await (const page of pagesOf(reader, tableFiles, { filter, order })) yield page.map(({ value }) => value);
}

/** All files of a version in one list. */
export async function filesAt(reader: Reader, table: string, version?: number): Promise<readonly TableFile[]> {
  const files: TableFile[] = [];
  for await (const page of filePages(reader, table, version)) files.push(...page);
  return files;
}

export interface FileChange {
  readonly version: number;
  readonly timestamp: number;
  readonly change: 'add' | 'remove';
  readonly file: TableFile;
}

/** The files added and removed by versions `from` to `to` (both inclusive), by version, removals first. */
export async function fileChanges(
  reader: Reader,
  table: string,
  from: number,
  to: number,
): Promise<readonly FileChange[]> {
  const changes: FileChange[] = [];
  for (const field of ['removed', 'added'] as const) {
    const filter = allOf(eq('table', table), atLeast(field, from), atMost(field, to));
    for await (const page of pagesOf(reader, tableFiles, { filter }))
      for (const { value: file } of page) changes.push(changeOf(file, field));
  }
  return changes.sort((one, other) => one.version - other.version);
}

const changeOf = (file: TableFile, field: 'added' | 'removed'): FileChange =>
  field === 'added'
    ? { version: file.addedIn, timestamp: file.addedAt, change: 'add', file }
    : {
        version: file.removedIn ?? file.addedIn,
        timestamp: file.removedAt ?? file.addedAt,
        change: 'remove',
        file,
      };

export const findFile = async (reader: Reader, table: string, id: string): Promise<TableFile | undefined> =>
  (await reader.get(tableFiles, fileKey(table, id), 'none'))?.value;

/** Streams the bytes of a file. If they belong to a volume's file that is gone, the stream fails with `BlobGone`. */
export const openFile = (reader: Reader, { blob, size }: TableFile): Readable => streamBlob(reader, { blob, size });

/** A range of the bytes, for the Parquet reader. */
export const readFilePart = (
  reader: Reader,
  { blob, size }: TableFile,
  offset: number,
  length: number,
): Promise<Buffer> => readRange(reader, { blob, size }, offset, length);
