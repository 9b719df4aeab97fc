import { errors } from '../errors.ts';
import { boundaryOf, lineAt, MultipartError, type Part, parseMultipart, splitHead } from './multipart.ts';
import type { BatchItem, BatchStep } from './plan.ts';

/** Encodings that HTTP transfers unchanged. */
const PLAIN_ENCODINGS = new Set(['', 'binary', '8bit', '7bit']);

/** Reads the steps of a multipart batch: each part is a request or a change set. */
export function readMultipartBatch(bytes: Buffer, boundary: string): BatchStep[] {
  return understood('', () => parseMultipart(bytes, boundary)).map((part, index) =>
    readStep(part, `part ${index + 1}`),
  );
}

function readStep(part: Part, at: string): BatchStep {
  const type = part.headers['content-type'] ?? '';
  const boundary = understood(at, () => boundaryOf(type));
  if (boundary === undefined) return { kind: 'single', item: readItem(part, at) };
  const inner = understood(at, () => parseMultipart(part.body, boundary));
  const items = inner.map((each, index) => readItem(each, `${at}, request ${index + 1}`));
  const ids = items.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const twice = ids.find((id, index) => ids.indexOf(id) < index);
  if (twice !== undefined) throw wrong(at, `two requests have the Content-ID '${twice.slice(0, 100)}'`);
  return { kind: 'changeSet', id: undefined, items };
}

function readItem(part: Part, at: string): BatchItem {
  const type = part.headers['content-type'] ?? '';
  if (!/^application\/http\s*(;|$)/i.test(type.trim())) {
    throw wrong(at, `its content type must be 'application/http', not '${type.slice(0, 100)}'`);
  }
  const encoding = part.headers['content-transfer-encoding']?.toLowerCase() ?? '';
  if (!PLAIN_ENCODINGS.has(encoding))
    throw wrong(at, `the content transfer encoding must be 'binary', not '${encoding.slice(0, 100)}'`);
  return understood(at, () => readMessage(part));
}

/** A complete HTTP request message. */
function readMessage({ headers: outer, body }: Part): BatchItem {
  let line = lineAt(body, 0);
  while (line.text.trim() === '' && line.next < body.length) line = lineAt(body, line.next);
  // Clients forget to encode spaces in addresses; everything between the first word and the last is the address.
  const [, method, url] = /^([A-Za-z]+)[ \t]+(.*?)(?:[ \t]+HTTP\/\d+(?:\.\d+)?)?[ \t]*$/.exec(line.text) ?? [];
  if (method === undefined || !url) {
    throw new MultipartError(`'${line.text.slice(0, 100)}' is not a request line such as 'GET customers HTTP/1.1'`);
  }
  const { headers, body: content } = splitHead(body.subarray(line.next));
  const id = outer['content-id'] ?? headers['content-id'];
  return {
    id: id?.replace(/^<(.*)>$/, '$1'),
    method: method.toUpperCase(),
    url,
    headers,
    body: bodyOf(content, headers['content-length']),
    dependsOn: [],
  };
}

/** Blank lines after a request without a body are not a body. */
function bodyOf(content: Buffer, length: string | undefined): BatchItem['body'] {
  const announced = length !== undefined && /^\d+$/.test(length) ? Number(length) : undefined;
  const bytes = announced !== undefined && announced < content.length ? content.subarray(0, announced) : content;
  const isBlank = bytes.length <= 16 && bytes.toString('latin1').trim() === '';
  return isBlank ? { kind: 'none' } : { kind: 'bytes', bytes };
}

function understood<R>(at: string, read: () => R): R {
  try {
    return read();
  } catch (error) {
    if (error instanceof MultipartError) throw wrong(at, error.message);
    throw error;
  }
}

const wrong = (at: string, reason: string): Error =>
  errors.BadRequest(
    { reason: `The batch cannot be read: ${at === '' ? '' : `${at}: `}${reason}.` },
    at === '' ? {} : { target: at },
  );
