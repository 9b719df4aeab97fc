import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import {
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
  type ParquetParsers,
  parquetMetadataAsync,
  parquetScan,
  parquetSchema,
  type SchemaElement,
  type SchemaTree,
} from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { type Column, completeColumn } from '../columns.ts';
import type { ColumnType } from '../types.ts';
import { type Cell, cellOf, storageOf } from './cells.ts';

/** Converts rows to Parquet files and back. The only file that needs the Parquet library; `load-parquet.ts` loads it on first use. */

const GROUP_ROWS = 50_000;

/** The bytes of a Parquet file with these rows. */
export async function parquetOf(columns: readonly Column[], rows: readonly (readonly Cell[])[]): Promise<Uint8Array> {
  const kinds = columns.map((column) => ({ name: column.name, storage: storageOf(column) }));
  const elements = kinds.map(
    ({ name, storage }): SchemaElement => ({ ...storage.element, name, repetition_type: 'OPTIONAL' }),
  );
  const writer = new ByteWriter();
  const file = new ParquetWriter({ writer, schema: [{ name: 'root', num_children: elements.length }, ...elements] });
  for (let from = 0; from < rows.length; from += GROUP_ROWS) {
    const group = rows.slice(from, from + GROUP_ROWS);
    const columnData = kinds.map(({ name, storage }, index) => ({
      name,
      data: group.map((row) => {
        const cell = row[index] ?? null;
        return cell === null ? null : storage.store(cell);
      }),
    }));
    await file.write({ columnData, rowGroupSize: GROUP_ROWS });
  }
  await file.finish();
  return writer.getBytes();
}

/** The reader supports Snappy itself. */
const DECOMPRESS: Compressors = {
  GZIP: (bytes) => gunzipSync(bytes, { maxOutputLength: MOST_PAGE_BYTES }),
  ZSTD: (bytes) => zstdDecompressSync(bytes, { maxOutputLength: MOST_PAGE_BYTES }),
  BROTLI: (bytes) => brotliDecompressSync(bytes, { maxOutputLength: MOST_PAGE_BYTES }),
};

/** Files of a volume are untrusted, so sizes are limited. */
const MOST_PAGE_BYTES = 256 * 1024 * 1024;
const MOST_GROUP_ROWS = 20_000_000;
/** Rows yielded at once. */
const CHUNK_ROWS = 10_000;

/** Dates stay days, and timestamps become milliseconds. */
const PARSERS: Partial<ParquetParsers> = {
  timestampFromMilliseconds: (value) => Number(value),
  timestampFromMicroseconds: (value) => Number(value) / 1000,
  timestampFromNanoseconds: (value) => Number(value) / 1_000_000,
  dateFromDays: (value) => value,
};

export type ReadPart = (offset: number, length: number) => Promise<Uint8Array>;

const bufferOf = (byteLength: number, read: ReadPart): AsyncBuffer => ({
  byteLength,
  async slice(start, end = byteLength) {
    const from = start < 0 ? Math.max(0, byteLength + start) : start;
    const length = Math.max(0, Math.min(end, byteLength) - from);
    if (length > MOST_PAGE_BYTES) throw new Error(`a page has ${length} bytes, more than ${MOST_PAGE_BYTES}`);
    const bytes = await read(from, length);
    return new Uint8Array(bytes).buffer;
  },
});

/** The reader would convert decimals to doubles; without the type annotation it returns their digits. */
const rawDecimals = (metadata: FileMetaData): FileMetaData => ({
  ...metadata,
  schema: metadata.schema.map((element) => {
    if (element.converted_type !== 'DECIMAL') return element;
    const { converted_type: _decimal, ...rest } = element;
    return rest;
  }),
});

/**
 * The rows of a file in chunks of some thousands, with the cells of the given columns. A column that the file lacks is `null` in every row.
 */
export async function* rowGroups(
  size: number,
  read: ReadPart,
  columns: readonly Column[],
): AsyncGenerator<readonly (readonly Cell[])[]> {
  const file = bufferOf(size, read);
  const metadata = rawDecimals(await parquetMetadataAsync(file, { geoparquet: false }));
  const names = parquetSchema(metadata).children.map(({ element }) => element.name);
  const sources = columns.map(({ name }) => names.find((each) => each.toLowerCase() === name.toLowerCase()));
  const scan = await parquetScan({ file, metadata, compressors: DECOMPRESS, parsers: PARSERS, utf8: false });
  for (const { rowStart, rowEnd } of scan.ranges) {
    const count = rowEnd - rowStart;
    if (count > MOST_GROUP_ROWS) throw new Error(`a row group has ${count} rows, more than ${MOST_GROUP_ROWS}`);
    const values: (ArrayLike<unknown> | undefined)[] = [];
    for (const column of sources)
      values.push(column === undefined ? undefined : await scan.readColumn({ column, rowStart, rowEnd }));
    for (let from = 0; from < count; from += CHUNK_ROWS)
      yield Array.from({ length: Math.min(CHUNK_ROWS, count - from) }, (_, row) =>
        columns.map((column, index) => cellOf(column, values[index]?.[from + row])),
      );
  }
}

export interface ParquetInfo {
  readonly rows: number;
  readonly columns: readonly Column[];
}

/** The number of rows of a file, and the table columns that it implies. */
export async function parquetInfo(size: number, read: ReadPart): Promise<ParquetInfo> {
  const metadata = await parquetMetadataAsync(bufferOf(size, read), { geoparquet: false });
  const rows = Number(metadata.num_rows);
  if (!Number.isSafeInteger(rows) || rows < 0) throw new Error(`its metadata declares ${metadata.num_rows} rows`);
  return { rows, columns: parquetSchema(metadata).children.map(columnOf) };
}

function columnOf({ element, children }: SchemaTree, index: number): Column {
  const type = typeOf(element, children.length > 0);
  const { precision = 0, scale = 0 } = element.logical_type?.type === 'DECIMAL' ? element.logical_type : { ...element };
  return completeColumn(
    {
      name: element.name,
      type_name: type,
      nullable: element.repetition_type !== 'REQUIRED',
      ...(type === 'DECIMAL' && { type_precision: precision, type_scale: scale }),
      ...(type === 'VARIANT' && { type_text: 'variant' }),
    },
    index,
  );
}

const PHYSICAL: Readonly<Partial<Record<string, ColumnType>>> = {
  BOOLEAN: 'BOOLEAN',
  INT32: 'INT',
  INT64: 'LONG',
  INT96: 'TIMESTAMP',
  FLOAT: 'FLOAT',
  DOUBLE: 'DOUBLE',
};

const CONVERTED: Readonly<Partial<Record<string, ColumnType>>> = {
  UTF8: 'STRING',
  ENUM: 'STRING',
  JSON: 'STRING',
  DATE: 'DATE',
  DECIMAL: 'DECIMAL',
  INT_8: 'BYTE',
  INT_16: 'SHORT',
  TIMESTAMP_MILLIS: 'TIMESTAMP',
  TIMESTAMP_MICROS: 'TIMESTAMP',
};

/** Lists and records are variants: their values are JSON texts. */
function typeOf(
  { type, converted_type: converted, logical_type: logical }: SchemaElement,
  nested: boolean,
): ColumnType {
  if (nested) return 'VARIANT';
  if (logical?.type === 'TIMESTAMP') return logical.isAdjustedToUTC ? 'TIMESTAMP' : 'TIMESTAMP_NTZ';
  if (logical?.type === 'DECIMAL') return 'DECIMAL';
  if (logical?.type === 'DATE') return 'DATE';
  if (logical?.type === 'STRING' || logical?.type === 'JSON' || logical?.type === 'ENUM') return 'STRING';
  return CONVERTED[converted ?? ''] ?? PHYSICAL[type ?? ''] ?? 'BINARY';
}
