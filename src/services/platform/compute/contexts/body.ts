import { isObject, jsonMistake, parseJson } from '../../../../kernel/values/index.ts';
import { isStream } from '../../blobs/body.ts';
import { formBoundary, formParts } from '../../blobs/multipart.ts';
import type { PlatformCall } from '../../jar.ts';
import { contextErrors } from '../errors.ts';

/** Enough for a command of maximum length, escaped or with several bytes per character, and its envelope. */
const MOST_BYTES = 8 * 1024 * 1024;
const MOST_FIELDS = 50;

const wrong = (reason: string) => contextErrors.IllegalArgumentException({ reason });

async function collect(chunks: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > most) throw wrong(`the body has more than ${MOST_BYTES} bytes`);
    parts.push(chunk);
  }
  return Buffer.concat(parts, size);
}

/** The members of a body: JSON, or a form whose field `command` is a file. */
export async function bodyOf({ body, headers }: PlatformCall): Promise<Readonly<Record<string, unknown>>> {
  if (!isStream(body)) return {};
  const type = headers['content-type'];
  const boundary = typeof type === 'string' ? formBoundary(type) : undefined;
  if (boundary !== undefined) return readForm(body, boundary);
  const bytes = await collect(body, MOST_BYTES);
  if (bytes.length === 0) return {};
  let parsed: unknown;
  try {
    parsed = parseJson(bytes, { bytes: MOST_BYTES });
  } catch (cause) {
    throw contextErrors.IllegalArgumentException({ reason: jsonMistake(cause) }, { cause });
  }
  if (!isObject(parsed)) throw wrong('the body must be an object');
  return parsed;
}

async function readForm(body: AsyncIterable<Buffer>, boundary: string): Promise<Readonly<Record<string, unknown>>> {
  const fields = new Map<string, string>();
  let left = MOST_BYTES;
  for await (const { name, bytes } of formParts(body, boundary)) {
    if (fields.size >= MOST_FIELDS) throw wrong(`the form has more than ${MOST_FIELDS} fields`);
    const value = await collect(bytes, left);
    left -= value.length;
    fields.set(name, value.toString('utf8'));
  }
  return Object.fromEntries(fields);
}
