import type { Jar } from '../../../../../kernel/service/index.ts';
import type { Reader } from '../../../../../kernel/store/index.ts';
import { isoTime } from '../../../../../kernel/time/index.ts';
import { discard, stage } from '../../../blobs/staged.ts';
import { callerIdentity, type PlatformCall } from '../../../jar.ts';
import type { Chain } from '../../core/chain.ts';
import type { Securable } from '../../core/securables.ts';
import type { TableFile, TableVersion } from '../collections.ts';
import { columnsOf } from '../column-store.ts';
import type { Column } from '../columns.ts';
import type { Cell } from './cells.ts';
import { readFilePart } from './files.ts';
import { loadParquet } from './load-parquet.ts';
import { type NewFile, replaceFiles } from './log.ts';
import { statsOf } from './stats.ts';

type DataJar = Pick<Jar, 'store' | 'clock'>;

export type Row = readonly Cell[];

/**
 * Stages Parquet files with these rows, one for each combination of partition values. `replaceFiles` commits them, `discardFiles` discards
 * them. Must not be called in a transaction.
 */
export async function stageRows(
  jar: DataJar,
  columns: readonly Column[],
  rows: readonly Row[],
): Promise<readonly NewFile[]> {
  const { parquetOf } = await loadParquet();
  const files: NewFile[] = [];
  for (const [partitionValues, some] of partitions(columns, rows)) {
    const bytes = await parquetOf(columns, some);
    const content = await stage(jar, chunksOf(bytes), () => {});
    files.push({ bytes: content, partitionValues, stats: statsOf(columns, some) });
  }
  return files;
}

export async function discardFiles(jar: DataJar, files: readonly NewFile[]): Promise<void> {
  for (const { bytes } of files) if (!('borrowed' in bytes)) await discard(jar, bytes);
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Buffer> {
  yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Groups rows by the values of the partition columns. */
function partitions(
  columns: readonly Column[],
  rows: readonly Row[],
): Iterable<readonly [Readonly<Record<string, string | null>>, readonly Row[]]> {
  const by = columns
    .map((column, index) => ({ column, index }))
    .filter(({ column }) => column.partition_index !== undefined);
  if (by.length === 0) return rows.length === 0 ? [] : [[{}, rows]];
  const found = new Map<string, [Record<string, string | null>, Row[]]>();
  for (const row of rows) {
    const values = Object.fromEntries(
      by.map(({ column, index }) => [column.name, partitionText(column, row[index] ?? null)]),
    );
    const key = JSON.stringify(values);
    const group = found.get(key);
    if (group) group[1].push(row);
    else found.set(key, [values, [row]]);
  }
  return found.values();
}

const DAY_MS = 86_400_000;

/** Format of the sharing protocol: dates `2026-01-31`, times `2026-01-31 12:00:00`. */
function partitionText({ type_name: type, type_scale: scale }: Column, cell: Cell): string | null {
  if (cell === null) return null;
  if (type === 'DATE') return isoTime(Number(cell) * DAY_MS).slice(0, 10);
  if (type === 'TIMESTAMP' || type === 'TIMESTAMP_NTZ') return isoTime(Number(cell)).slice(0, 19).replace('T', ' ');
  if (type !== 'DECIMAL' || scale === 0) return String(cell);
  const digits = String(cell)
    .replace('-', '')
    .padStart(scale + 1, '0');
  return `${Number(cell) < 0 ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Adds rows to a table in one version. The caller has checked permissions. */
export async function writeRows(
  call: Pick<PlatformCall, 'jar' | 'facts'>,
  { target: table }: Chain,
  rows: readonly Row[],
  { overwrite = false } = {},
): Promise<TableVersion> {
  const { jar } = call;
  const files = await stageRows(jar, await columnsOf(jar.store, table), rows);
  try {
    return await jar.store.transact((tx) =>
      replaceFiles(tx, jar, table, {
        operation: 'WRITE',
        parameters: { mode: overwrite ? 'Overwrite' : 'Append' },
        by: callerIdentity(call).principal.id,
        add: files,
        remove: overwrite ? 'all' : [],
      }),
    );
  } catch (error) {
    await discardFiles(jar, files);
    throw error;
  }
}

/** The rows of a file, in groups. `columns` are all or some of the table's columns. */
export async function* readRows(
  reader: Reader,
  file: TableFile,
  columns: readonly Column[],
): AsyncGenerator<readonly Row[]> {
  const { rowGroups } = await loadParquet();
  yield* rowGroups(file.size, (offset, length) => readFilePart(reader, file, offset, length), columns);
}

/** The columns of a version of a table. */
export const columnsIn = (
  reader: Reader,
  table: Pick<Securable, 'id' | 'extra'>,
  version: TableVersion,
): Promise<readonly Column[]> => columnsOf(reader, table, version.schema);
