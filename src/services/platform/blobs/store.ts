import { Readable } from 'node:stream';
import { shortId } from '../../../kernel/ids/index.ts';
import { deleteSome, type Reader, type Tx } from '../../../kernel/store/index.ts';
import { nextTurn } from '../../../kernel/time/index.ts';
import { blobPieces } from './collections.ts';
import { DROP_BLOB, dropBlobId } from './work.ts';

/**
 * Bytes of any length, stored in pieces of equal length: any part of a file can be read by its offset, and no document is large. The blob
 * of a file never changes; overwriting the file creates another blob.
 */

/** 256 KB in base64. */
export const PIECE_BYTES = 192 * 1024;
const ID_LENGTH = 20;
/** Blobs of up to this many pieces are deleted in the transaction that releases them, larger ones by due work. */
const FEW_PIECES = 8;

export interface Blob {
  readonly blob: string;
  readonly size: number;
}

const pieceKey = (blob: string, index: number): string => `${blob}/${String(index).padStart(6, '0')}`;

export const newBlobId = (): string => shortId(ID_LENGTH);

/** The reader was too slow: the file was overwritten or deleted after its document was read. */
export class BlobGone extends Error {}

/** Maximum reads of a file that is overwritten during each of them. */
const TRIES = 5;

/** Repeats a read, including the lookup of the file, if the file is overwritten meanwhile. */
export async function retryIfGone<R>(read: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof BlobGone) || attempt === TRIES) throw error;
    }
  }
}

export async function putBlob(tx: Tx, bytes: Buffer): Promise<Blob> {
  const blob = newBlobId();
  await tx.putAll(blobPieces, piecesFrom(blob, 0, bytes));
  return { blob, size: bytes.length };
}

/** Appends bytes to a blob that has `size` bytes. The last piece is filled first, so that all pieces keep their length. */
export async function appendToBlob(tx: Tx, { blob, size }: Blob, bytes: Buffer): Promise<Blob> {
  const first = Math.floor(size / PIECE_BYTES);
  const held = size % PIECE_BYTES === 0 ? undefined : await pieceAt(tx, blob, first);
  await tx.putAll(blobPieces, piecesFrom(blob, first, held ? Buffer.concat([held, bytes]) : bytes));
  return { blob, size: size + bytes.length };
}

function* piecesFrom(blob: string, first: number, bytes: Buffer): Generator<readonly [string, { bytes: string }]> {
  for (let index = 0; index * PIECE_BYTES < bytes.length; index++) {
    const start = index * PIECE_BYTES;
    yield [pieceKey(blob, first + index), { bytes: bytes.toString('base64', start, start + PIECE_BYTES) }];
  }
}

async function pieceAt(reader: Reader, blob: string, index: number): Promise<Buffer> {
  const piece = await reader.get(blobPieces, pieceKey(blob, index), 'none');
  if (!piece) throw new BlobGone(`piece ${index} of the blob ${blob} is missing`);
  return Buffer.from(piece.value.bytes, 'base64');
}

/** Up to `length` bytes from an offset; reads only the pieces that contain them. */
export async function readRange(reader: Reader, { blob, size }: Blob, offset: number, length: number): Promise<Buffer> {
  const end = Math.min(size, offset + length);
  if (offset >= end) return Buffer.alloc(0);
  const first = Math.floor(offset / PIECE_BYTES);
  const parts: Buffer[] = [];
  for (let index = first; index * PIECE_BYTES < end; index++) parts.push(await pieceAt(reader, blob, index));
  const start = first * PIECE_BYTES;
  return Buffer.concat(parts).subarray(offset - start, end - start);
}

export const readBlob = (reader: Reader, blob: Blob): Promise<Buffer> => readRange(reader, blob, 0, blob.size);

/** Yields piece by piece, as the consumer reads. Other requests run in between, so it must not be used in transactions. */
export async function* blobParts(reader: Reader, { blob, size }: Blob): AsyncGenerator<Buffer> {
  for (let index = 0; index * PIECE_BYTES < size; index++) {
    yield await pieceAt(reader, blob, index);
    await new Promise<void>(nextTurn);
  }
}

/** The same for a range of the bytes. */
async function* rangeParts(
  reader: Reader,
  { blob, size }: Blob,
  offset: number,
  length: number,
): AsyncGenerator<Buffer> {
  const end = Math.min(size, offset + length);
  for (let index = Math.floor(offset / PIECE_BYTES); index * PIECE_BYTES < end; index++) {
    const start = index * PIECE_BYTES;
    const piece = await pieceAt(reader, blob, index);
    yield piece.subarray(Math.max(0, offset - start), end - start);
    await new Promise<void>(nextTurn);
  }
}

export const streamRange = (reader: Reader, blob: Blob, offset: number, length: number): Readable =>
  Readable.from(rangeParts(reader, blob, offset, length), { objectMode: false });

/** For answers. If the file is deleted meanwhile, the stream fails; it never ends early without an error. */
export const streamBlob = (reader: Reader, blob: Blob): Readable =>
  Readable.from(blobParts(reader, blob), { objectMode: false });

/** Called in the transaction that releases a blob. */
export async function dropBlob(tx: Tx, { blob, size }: Blob, now: number): Promise<void> {
  if (size <= FEW_PIECES * PIECE_BYTES) await deleteSome(tx, blobPieces, { prefix: `${blob}/` });
  else await tx.schedule(DROP_BLOB.at(now, { blob }, dropBlobId(blob)));
}
