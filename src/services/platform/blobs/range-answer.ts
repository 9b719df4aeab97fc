import { Readable } from 'node:stream';
import type { Answer } from '../../../kernel/http/index.ts';
import { nextTurn } from '../../../kernel/time/index.ts';
import type { PlatformCall } from '../jar.ts';
import { rangeOf } from './range.ts';
import { type Blob, PIECE_BYTES, readRange, streamBlob } from './store.ts';

/** Answers with the bytes of a blob: all of them, or the single range that the request asks for. */

/** 200 with all bytes, 206 with a range, or 416. */
export function blobAnswer(
  { jar, headers }: Pick<PlatformCall, 'jar' | 'headers'>,
  blob: Blob,
  answered: Readonly<Record<string, string>> = { 'content-type': 'application/octet-stream' },
): Answer {
  const { size } = blob;
  const range = rangeOf(headers.range, size);
  const head = { ...answered, 'accept-ranges': 'bytes' };
  if (range === undefined)
    return { status: 200, headers: { ...head, 'content-length': String(size) }, body: streamBlob(jar.store, blob) };
  if (range === 'beyond') return { status: 416, headers: { ...head, 'content-range': `bytes */${size}` } };
  const { from: first, to: last } = range;
  return {
    status: 206,
    headers: {
      ...head,
      'content-length': String(last - first + 1),
      'content-range': `bytes ${first}-${last}/${size}`,
    },
    body: Readable.from(partsOf(jar, blob, first, last), { objectMode: false }),
  };
}

async function* partsOf(
  { store }: PlatformCall['jar'],
  blob: Blob,
  first: number,
  last: number,
): AsyncGenerator<Buffer> {
  for (let at = first; at <= last; ) {
    // Reads up to the end of the piece, so that each piece is read once.
    const length = Math.min(last + 1 - at, PIECE_BYTES - (at % PIECE_BYTES));
    yield await readRange(store, blob, at, length);
    at += length;
    await new Promise<void>(nextTurn);
  }
}
