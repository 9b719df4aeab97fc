import { fstatSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { CliError, usageError } from '../errors.ts';
import { type Line, lineSplitter, wholeLine } from './lines.ts';

/** A source of lines, read in batches. */
export interface LineSource {
  readonly batches: AsyncIterable<LineBatch> | Iterable<LineBatch>;
  /** Total size; undefined for a pipe. */
  readonly bytes: number | undefined;
}

export interface LineBatch {
  readonly lines: readonly Line[];
  /** Bytes read for these lines. */
  readonly bytes: number;
}

/** Each text of the command line is one line, even if it contains line feeds. */
export function givenTexts(texts: readonly string[]): LineSource {
  return { batches: [{ lines: texts.map((text) => wholeLine(text)), bytes: 0 }], bytes: undefined };
}

/** A file, or anything else with a path, such as a named pipe. */
export async function openFile(path: string): Promise<LineSource> {
  const handle = await opened(path);
  const found = await handle.stat();
  if (found.isDirectory()) {
    await handle.close();
    throw usageError(`${path} is a folder, not a file`);
  }
  const batches = linesOf(readable(path, handle.createReadStream()));
  return { batches, bytes: found.isFile() ? found.size : undefined };
}

export function openStandardInput(): LineSource {
  return { batches: linesOf(readable('stdin', process.stdin)), bytes: sizeOfStandardInput() };
}

export async function opened(path: string): Promise<FileHandle> {
  try {
    return await open(path);
  } catch (error) {
    throw usageError(`${path} cannot be read: ${(error as Error).message}`, error);
  }
}

/** Known if a shell has redirected a file to standard input. */
export function sizeOfStandardInput(): number | undefined {
  try {
    const found = fstatSync(0);
    return found.isFile() ? found.size : undefined;
  } catch {
    return undefined;
  }
}

export async function* readable(name: string, stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    for await (const part of stream) yield part;
  } catch (error) {
    throw new CliError(`reading ${name} failed: ${(error as Error).message}`, 1, { cause: error });
  }
}

/** Text is UTF-8 unless it has another byte order mark, which is removed. Invalid bytes become U+FFFD. */
export async function* linesOf(parts: AsyncIterable<Buffer>): AsyncGenerator<LineBatch> {
  const splitter = lineSplitter();
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for await (const part of parts) {
    decoder ??= new TextDecoder(encodingOf(part));
    yield { lines: splitter.push(decoder.decode(part, { stream: true })), bytes: part.length };
  }
  const rest = decoder?.decode() ?? '';
  yield { lines: [...splitter.push(rest), ...splitter.end()], bytes: 0 };
}

export function encodingOf([first, second]: Buffer): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
