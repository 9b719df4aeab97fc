import { Stream } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** What answers inside of another answer need: the parts of a batch. */

/** The body of an answer as the bytes that it is sent as. */
export async function bodyBytes(body: unknown): Promise<Buffer> {
  if (body === undefined) return Buffer.alloc(0);
  if (Buffer.isBuffer(body)) return body;
  if (body instanceof Stream) return buffer(body as AsyncIterable<Uint8Array> & Stream.Readable);
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** `Content-Type`, as clients look for it that compare names of headers with regard to case. */
export const headerName = (name: string): string =>
  name
    .replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase())
    .replace(/^Odata/, 'OData')
    .replace(/^Etag$/, 'ETag');
