import { Stream } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** For responses within another response: the parts of a batch. */

/** The body of a response as bytes. */
export async function bodyBytes(body: unknown): Promise<Buffer> {
  if (body === undefined) return Buffer.alloc(0);
  if (Buffer.isBuffer(body)) return body;
  if (body instanceof Stream) return buffer(body as AsyncIterable<Uint8Array> & Stream.Readable);
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** `content-type` as `Content-Type`, for clients that compare header names with case. */
export const headerName = (name: string): string =>
  name
    .replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase())
    .replace(/^Odata/, 'OData')
    .replace(/^Etag$/, 'ETag');
