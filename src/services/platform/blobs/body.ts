import { jsonMistake, parseJson } from '../../../kernel/values/index.ts';
import { errors, malformedJson } from '../errors.ts';
import type { PlatformCall } from '../jar.ts';
import { formBoundary, formParts } from './multipart.ts';
import { type Content, discard, stage } from './staged.ts';

/** Maximum size of JSON, the same as in the rest of the API: above 10 MB in base64, so that a file is refused by its own limit. */
const JSON_BYTES = 32 * 1024 * 1024;
/** Per form field that is not a file. */
const FIELD_BYTES = 64 * 1024;
const MOST_FIELDS = 50;

/** A JSON body, or a form with a file. */
export interface Upload {
  readonly fields: Readonly<Record<string, unknown>>;
  /** The file of a form. */
  readonly file: Content | undefined;
}

interface UploadOptions {
  /** The form field that contains the bytes. */
  readonly file: string;
  /** Fields that are booleans in JSON. */
  readonly booleans: readonly string[];
  /** Receives the size of the file so far, and throws to refuse a larger file. */
  counted(size: number): void;
}

export const isStream = (body: unknown): body is AsyncIterable<Buffer> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

/** Reads the body of an operation that accepts a stream. The bytes of a form's file are stored as they arrive. */
export async function readUpload(call: PlatformCall, options: UploadOptions): Promise<Upload> {
  const { body } = call;
  if (!isStream(body)) return { fields: {}, file: undefined };
  const type = call.headers['content-type'];
  const boundary = typeof type === 'string' ? formBoundary(type) : undefined;
  if (boundary !== undefined) return readForm(call, body, boundary, options);
  // As in the rest of the API: a body that `curl --data` labels as a form is JSON.
  return { fields: await readJson(body), file: undefined };
}

async function readJson(body: AsyncIterable<Buffer>): Promise<Upload['fields']> {
  const bytes = await collect(body, JSON_BYTES, 'The request body');
  if (bytes.length === 0) return {};
  let value: unknown;
  try {
    value = parseJson(bytes, { bytes: JSON_BYTES });
  } catch (cause) {
    throw errors.MALFORMED_REQUEST({ reason: malformedJson(jsonMistake(cause)) }, { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw errors.MALFORMED_REQUEST({ reason: 'Could not parse request object: the body must be an object.' });
  return { ...value };
}

async function collect(chunks: AsyncIterable<Buffer>, most: number, what: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > most) throw errors.MALFORMED_REQUEST({ reason: `${what} is larger than ${most} bytes.` });
    parts.push(chunk);
  }
  return Buffer.concat(parts, size);
}

async function readForm(
  { jar }: PlatformCall,
  body: AsyncIterable<Buffer>,
  boundary: string,
  { file: fileField, booleans, counted }: UploadOptions,
): Promise<Upload> {
  const fields: Record<string, unknown> = {};
  let file: Content | undefined;
  let count = 0;
  try {
    for await (const { name, bytes } of formParts(body, boundary)) {
      if (++count > MOST_FIELDS)
        throw errors.MALFORMED_REQUEST({ reason: `The form has more than ${MOST_FIELDS} fields.` });
      if (name === fileField) {
        if (file) throw errors.MALFORMED_REQUEST({ reason: `The form has the field '${name}' more than once.` });
        file = await stage(jar, bytes, counted);
      } else {
        const text = (await collect(bytes, FIELD_BYTES, `The field '${name.slice(0, 100)}'`)).toString('utf8');
        fields[name] = booleans.includes(name) && /^(true|false)$/i.test(text) ? /^true$/i.test(text) : text;
      }
    }
  } catch (error) {
    await discard(jar, file);
    throw error;
  }
  return { fields, file };
}

const BASE64 = /^[A-Za-z0-9+/_-]*(={0,2})$/;

/** Four characters encode three bytes; the last group may be shorter, with or without `=` padding. A single last character is invalid. */
function isBase64(text: string): boolean {
  const filled = BASE64.exec(text)?.[1]?.length;
  if (filled === undefined) return false;
  return filled > 0 ? text.length % 4 === 0 : text.length % 4 !== 1;
}

/** Decodes a base64 field of a JSON body. */
export function bytesOfBase64(value: string, field: string): Buffer {
  if (!isBase64(value.includes('\n') ? value.replace(/[\r\n]/g, '') : value))
    throw errors.INVALID_PARAMETER_VALUE({ reason: `The field '${field}' must be base64.` });
  return Buffer.from(value, 'base64');
}
