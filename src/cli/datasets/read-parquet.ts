import type { FileHandle } from 'node:fs/promises';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import {
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
  type ParquetParsers,
  parquetMetadataAsync,
  parquetScan,
  parquetSchema,
  type RowGroup,
  type SchemaTree,
} from 'hyparquet';
import { CliError, usageError } from '../errors.ts';
import { openFile } from './input.ts';
import { matchHeaders } from './match-columns.ts';
import { isoFromNanoseconds, type ParquetValue, valueReader } from './parquet-values.ts';
import type { RowSource, SourceRow, Wanted } from './rows.ts';

const CHUNK_ROWS = 1000;

/** The reader itself supports Snappy. */
const DECOMPRESS: Compressors = {
  GZIP: (bytes) => gunzipSync(bytes),
  ZSTD: (bytes) => zstdDecompressSync(bytes),
  BROTLI: (bytes) => brotliDecompressSync(bytes),
};

/** Times become text with all of their digits, as in a push; a text keeps a leading byte order mark. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const time = (unit: bigint) => (value: bigint | number) => isoFromNanoseconds(BigInt(value) * unit);
const PARSERS: Partial<ParquetParsers> = {
  timestampFromMilliseconds: time(1_000_000n),
  timestampFromMicroseconds: time(1000n),
  timestampFromNanoseconds: time(1n),
  dateFromDays: time(86_400_000_000_000n),
  stringFromBytes: (bytes) => UTF_8.decode(bytes),
  jsonFromBytes: (bytes) => UTF_8.decode(bytes),
};

const READING = { compressors: DECOMPRESS, parsers: PARSERS, utf8: false, geoparquet: false };

/** Reads the row groups one by one, and only the columns that the table has. */
export async function readParquet(path: string, wanted: Wanted): Promise<RowSource> {
  if (path === '-')
    throw usageError('Parquet cannot be read from a pipe, because reading starts at its end; write it to a file first');
  const { handle, size } = await openFile(path);
  if (size === undefined) {
    await handle.close();
    throw usageError(`${path} is a pipe; Parquet must be a file, because reading starts at its end`);
  }
  const counter = { read: 0 };
  const file = bufferOf(handle, size, counter);
  return { chunks: rowsOf(handle, file, wanted), place: 'row', bytes: size, bytesRead: () => counter.read };
}

function bufferOf(handle: FileHandle, byteLength: number, counter: { read: number }): AsyncBuffer {
  return {
    byteLength,
    async slice(start, end = byteLength) {
      const from = start < 0 ? Math.max(0, byteLength + start) : start;
      const bytes = new Uint8Array(Math.max(0, Math.min(end, byteLength) - from));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
      counter.read = Math.max(counter.read, from + bytesRead === byteLength ? 0 : from + bytesRead);
      return bytes.buffer.slice(0, bytesRead);
    },
  };
}

async function* rowsOf(handle: FileHandle, file: AsyncBuffer, wanted: Wanted): AsyncGenerator<SourceRow[]> {
  try {
    const metadata = await read(wanted.file, () => parquetMetadataAsync(file, { geoparquet: false }));
    const { children } = parquetSchema(metadata);
    const headers = children.map(({ element }) => element.name);
    const columns = matchHeaders(headers, wanted).map(({ column, index }) => ({
      name: `${JSON.stringify(column.name)}:`,
      column: column.name,
      header: headers[index] as string,
      toJson: flatReader(wanted.file, children[index] as SchemaTree),
    }));
    for (const group of metadata.row_groups) checkCodecs(wanted.file, group);
    const scan = await read(wanted.file, () => parquetScan({ ...READING, file, metadata: rawDecimals(metadata) }));
    for (const { rowStart, rowEnd } of scan.ranges) {
      if (rowEnd <= wanted.skip) {
        yield* skipped(rowStart, rowEnd);
        continue;
      }
      const values: ArrayLike<unknown>[] = [];
      for (const { header } of columns)
        values.push(await read(wanted.file, () => scan.readColumn({ column: header, rowStart, rowEnd })));
      yield* inChunks(wanted.file, columns, values, rowStart);
    }
  } finally {
    await handle.close();
  }
}

interface Read {
  readonly name: string;
  readonly column: string;
  readonly toJson: (value: unknown) => ParquetValue;
}

function* inChunks(
  file: string,
  columns: readonly Read[],
  values: readonly ArrayLike<unknown>[],
  start: number,
): Generator<SourceRow[]> {
  const count = values[0]?.length ?? 0;
  for (let from = 0; from < count; from += CHUNK_ROWS) {
    const rows: SourceRow[] = [];
    for (let i = from; i < Math.min(from + CHUNK_ROWS, count); i++) {
      let json = '';
      for (const [place, { name, column, toJson }] of columns.entries()) {
        const value = values[place]?.[i];
        if (value === null || value === undefined) continue;
        const written = toJson(value);
        if (typeof written !== 'string')
          throw new CliError(`${file}, row ${start + i + 1}, column '${column}': ${written.mistake}`);
        json += `${json === '' ? '' : ','}${name}${written}`;
      }
      rows.push({ at: start + i + 1, json: `{${json}}` });
    }
    yield rows;
  }
}

/** Skipped rows are counted without being read. */
function* skipped(start: number, end: number): Generator<SourceRow[]> {
  for (let from = start; from < end; from += CHUNK_ROWS)
    yield Array.from({ length: Math.min(CHUNK_ROWS, end - from) }, (_, i) => ({ at: from + i + 1, json: '' }));
}

function flatReader(file: string, { children, element }: SchemaTree): Read['toJson'] {
  if (children.length > 0 || element.repetition_type === 'REPEATED')
    throw new CliError(`${file}: the column '${element.name}' contains lists or records, which a table cannot store`);
  return valueReader(element);
}

/** The reader would convert decimals to doubles and bytes to text; without these annotations both come as stored. */
const rawDecimals = (metadata: FileMetaData): FileMetaData => ({
  ...metadata,
  schema: metadata.schema.map((element) => {
    if (element.converted_type !== 'DECIMAL') return element;
    const { converted_type: _decimal, ...rest } = element;
    return rest;
  }),
});

function checkCodecs(file: string, { columns }: RowGroup): void {
  for (const { meta_data } of columns) {
    const codec = meta_data?.codec ?? 'UNCOMPRESSED';
    if (codec !== 'UNCOMPRESSED' && codec !== 'SNAPPY' && !DECOMPRESS[codec])
      throw new CliError(`${file} is compressed with ${codec}; rewrite it with snappy, gzip, zstd or brotli`);
  }
}

async function read<R>(file: string, action: () => Promise<R>): Promise<R> {
  try {
    return await action();
  } catch (error) {
    const { message } = error as Error;
    throw new CliError(`${file} cannot be read as Parquet: ${message}`, 1, { cause: error });
  }
}
