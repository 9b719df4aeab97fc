import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { readAnswer } from '../control-client.ts';
import { CliError, usageError } from '../errors.ts';
import type { FoundJar } from '../find-jar.ts';
import { begin, exists, plain, reasonOf, textOf } from '../transfer.ts';
import { type DatasetAnswer, rowsPath, type TableAnswer } from './find.ts';
import type { Format } from './format.ts';
import type { RowProgress } from './progress.ts';
import { csvOf, exportedRows } from './write-rows.ts';

export interface ExportOptions {
  readonly file: string;
  readonly format: Format;
  readonly delimiter: string;
}

export interface Exported {
  readonly rows: number;
  readonly bytes: number;
}

const LINE_FEED = 0x0a;

/** Writes the rows of a table to standard output, or to a file that appears only when it is complete. */
export async function exportRows(
  jar: FoundJar,
  dataset: DatasetAnswer,
  table: TableAnswer,
  options: ExportOptions,
  progress: RowProgress,
): Promise<Exported> {
  const { file } = options;
  if (file !== '-' && (await exists(file)))
    throw usageError(`${file} already exists; remove it, or choose another file`);
  const response = await begin(jar, 'GET', rowsPath(dataset.id, table.name));
  if (response.statusCode !== 200) readAnswer(jar, { ...plain(response), text: await textOf(response) });
  const counter = { rows: 0, bytes: 0 };
  const text = counting(response, counter, (rows) =>
    progress.update(table.rows > 0 ? rows / table.rows : undefined, rows, counter.bytes),
  );
  const written = await encoded(text, table, options);
  try {
    await write(measured(written, counter), file);
  } finally {
    progress.clear();
  }
  return counter;
}

/** Counts line feeds: every row ends with one, and line feeds in texts are escaped. */
async function* counting(
  response: IncomingMessage,
  counter: { rows: number },
  show: (rows: number) => void,
): AsyncGenerator<Buffer> {
  for await (const part of response as AsyncIterable<Buffer>) {
    for (let at = part.indexOf(LINE_FEED); at >= 0; at = part.indexOf(LINE_FEED, at + 1)) counter.rows += 1;
    show(counter.rows);
    yield part;
  }
}

async function encoded(
  text: AsyncIterable<Buffer>,
  { columns }: TableAnswer,
  { format, delimiter }: ExportOptions,
): Promise<AsyncIterable<string | Uint8Array>> {
  if (format === 'ndjson') return text;
  const rows = exportedRows(text, columns);
  if (format === 'csv') return csvOf(rows, columns, delimiter);
  const { parquetOf } = await import('./write-parquet.ts');
  return parquetOf(rows, columns);
}

async function* measured(parts: AsyncIterable<string | Uint8Array>, counter: { bytes: number }) {
  for await (const part of parts) {
    counter.bytes += Buffer.byteLength(part);
    yield part;
  }
}

async function write(parts: AsyncIterable<string | Uint8Array>, file: string): Promise<void> {
  if (file === '-') {
    for await (const part of parts) if (!(await writtenTo(process.stdout, part))) return;
    return;
  }
  const part = `${file}.part`;
  try {
    await pipeline(parts, createWriteStream(part));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw new CliError(`${file} was not written: ${reasonOf(error)}`, 1, { cause: error });
  }
}

/** Returns false if the reader has closed the stream. */
const writtenTo = (stream: NodeJS.WritableStream, part: string | Uint8Array): Promise<boolean> =>
  new Promise((resolve) => void stream.write(part, (error) => resolve(!error)));
