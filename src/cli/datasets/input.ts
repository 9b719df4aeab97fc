import type { FileHandle } from 'node:fs/promises';
import { encodingOf, opened, readable, sizeOfStandardInput } from '../detect/source.ts';
import { CliError, usageError } from '../errors.ts';

/** A file or standard input, read once from start to end. */
export interface Input {
  readonly file: string;
  readonly parts: AsyncIterable<Buffer>;
  /** Undefined for a pipe. */
  readonly bytes: number | undefined;
  bytesRead(): number;
}

/** `-` is standard input. */
export async function openInput(path: string): Promise<Input> {
  if (path === '-') return counted('stdin', process.stdin, sizeOfStandardInput());
  const { handle, size } = await openFile(path);
  return counted(path, handle.createReadStream(), size);
}

export async function openFile(path: string): Promise<{ handle: FileHandle; size: number | undefined }> {
  const handle = await opened(path);
  const found = await handle.stat();
  if (!found.isDirectory()) return { handle, size: found.isFile() ? found.size : undefined };
  await handle.close();
  throw usageError(`${path} is a folder, not a file`);
}

function counted(file: string, stream: AsyncIterable<Buffer>, bytes: number | undefined): Input {
  let read = 0;
  async function* parts(): AsyncGenerator<Buffer> {
    for await (const part of readable(file, stream)) {
      read += part.length;
      yield part;
    }
  }
  return { file, parts: parts(), bytes, bytesRead: () => read };
}

/**
 * The text of an input: UTF-8, or UTF-16 if it has that byte order mark. Invalid bytes are an error, because they would be stored as other
 * characters.
 */
export async function* textOf({ file, parts }: Input): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let lines = 1;
  for await (const part of parts) {
    decoder ??= new TextDecoder(encodingOf(part), { fatal: true });
    let text: string;
    try {
      text = decoder.decode(part, { stream: true });
    } catch {
      throw notText(file, lines + lineFeeds(new TextDecoder(decoder.encoding).decode(part).split('\ufffd')[0] ?? ''));
    }
    lines += lineFeeds(text);
    yield text;
  }
  try {
    decoder?.decode();
  } catch {
    throw notText(file, lines);
  }
}

export const notText = (file: string, line: number): CliError =>
  new CliError(`${file}, line ${line}: this is not UTF-8; convert the file to UTF-8 (iconv -f WINDOWS-1252 -t UTF-8)`);

function lineFeeds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
