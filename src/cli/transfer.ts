import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { explain, keyOf, openRequest, readAnswer } from './control-client.ts';
import { CliError, usageError } from './errors.ts';
import type { FoundJar } from './find-jar.ts';
import { type ProgressStream, progressBar } from './progress.ts';

/** Smaller transfers show no progress. */
const SHOW_FROM_BYTES = 8 * 1024 * 1024;
const SHOW_EVERY_BYTES = 1024 * 1024;

export interface DownloadOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Replace an existing file. Undefined if the command has no such option. */
  readonly force?: boolean;
  readonly mode?: number;
}

/** Writes the answer of the jar to a file that appears only when it is complete. `expected` is the approximate size. */
export async function download(
  jar: FoundJar,
  path: string,
  file: string,
  expected: number,
  show: ProgressStream,
  { headers = {}, force, mode = 0o600 }: DownloadOptions = {},
): Promise<number> {
  if (!force && (await exists(file))) {
    const how = force === undefined ? 'remove it' : 'give --force to replace it';
    throw usageError(`${file} already exists; ${how}, or choose another file`);
  }
  const response = await begin(jar, 'GET', path, undefined, headers);
  if (response.statusCode !== 200) readAnswer(jar, { ...plain(response), text: await textOf(response) });
  const part = `${file}.part`;
  const counter = counting(expected, show);
  try {
    await pipeline(response, counter.stream, createWriteStream(part, { mode }));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw new CliError(`${file} was not written: ${reasonOf(error)}`, 1, { cause: error });
  } finally {
    counter.end();
  }
  return counter.bytes();
}

/** Sends a file of any size, and returns the answer. */
export async function upload(
  jar: FoundJar,
  path: string,
  file: string,
  show: ProgressStream,
  extraHeaders: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const size = await sizeOf(file);
  const counter = counting(size, show);
  try {
    const response = await begin(jar, 'PUT', path, (request) => {
      const headers = { ...extraHeaders, 'content-type': 'application/gzip', 'content-length': String(size) };
      for (const [name, value] of Object.entries(headers)) request.setHeader(name, value);
      // A jar that refuses answers before it has read everything; its answer says more than the broken pipe.
      pipeline(createReadStream(file), counter.stream, request).catch(() => {});
    });
    return readAnswer(jar, { ...plain(response), text: await textOf(response) });
  } finally {
    counter.end();
  }
}

type Writer = (request: Awaited<ReturnType<typeof openRequest>>) => void;

/** Sends a request and returns its answer after the headers, with the body unread. */
export async function begin(
  jar: FoundJar,
  method: string,
  path: string,
  write: Writer = (request) => void request.end(),
  extraHeaders: Readonly<Record<string, string>> = {},
): Promise<IncomingMessage> {
  const headers = { ...extraHeaders, authorization: `Bearer ${await keyOf(jar)}` };
  try {
    const request = await openRequest(jar, method, path, headers);
    return await new Promise((resolve, reject) => {
      request.once('response', resolve).on('error', reject);
      write(request);
    });
  } catch (error) {
    throw new CliError(explain(jar, error), 1, { cause: error });
  }
}

export const plain = ({ statusCode = 0, headers }: IncomingMessage) => ({ status: statusCode, headers });

export async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += part;
  return text;
}

interface Counter {
  readonly stream: Transform;
  bytes(): number;
  end(): void;
}

function counting(expected: number, show: ProgressStream): Counter {
  let bytes = 0;
  let shown = 0;
  const bar = show.isTTY && expected >= SHOW_FROM_BYTES ? progressBar(show) : undefined;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bar && bytes - shown >= SHOW_EVERY_BYTES) {
        shown = bytes;
        bar.update(bytes / expected, `${Math.round(bytes / 1024 / 1024)} MB`);
      }
      done(null, chunk);
    },
  });
  return { stream, bytes: () => bytes, end: () => bar?.clear() };
}

async function sizeOf(file: string): Promise<number> {
  try {
    const found = await stat(file);
    if (found.isFile()) return found.size;
  } catch (error) {
    throw usageError(`${file} cannot be read: ${reasonOf(error)}`, error);
  }
  throw usageError(`${file} is not a file`);
}

export async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
