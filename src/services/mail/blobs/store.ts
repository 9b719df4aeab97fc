import { Readable } from 'node:stream';
import { etag } from '../../../kernel/ids/index.ts';
import { pagesOf, type Reader, type Tx, walk } from '../../../kernel/store/index.ts';
import { blobPieces } from '../collections.ts';

/**
 * Stores bytes of any length (a MIME source, a file) in pieces, so that no document is large and no write takes long. All pieces except the
 * last have the same length, so that a part of a blob is found by its offset. The length is a multiple of three, so the concatenated base64
 * texts of the pieces are the base64 text of the blob.
 */

const PIECE_BYTES = 192 * 1024;
const PIECE_DIGITS = 6;
/** Pieces per read: about 4 MB of text. */
const PAGE = 16;

const pieceKey = (blob: string, number: number): string => `${blob}/${String(number).padStart(PIECE_DIGITS, '0')}`;

/** Stores a new blob and returns its id. */
export async function putBlob(tx: Tx, bytes: Buffer, blob: string = etag()): Promise<string> {
  await putPieces(tx, blob, 0, bytes);
  return blob;
}

/** Appends bytes to a blob that has `length` bytes so far. */
export async function putPieces(tx: Tx, blob: string, length: number, bytes: Buffer): Promise<void> {
  const held = length % PIECE_BYTES;
  const first = Math.floor(length / PIECE_BYTES);
  // Fills the last piece first, so that the pieces do not depend on the sizes in which the bytes arrive.
  const whole = held === 0 ? bytes : Buffer.concat([await readPiece(tx, blob, first), bytes]);
  const documents: [string, { bytes: string }][] = [];
  for (let at = 0; at < whole.length; at += PIECE_BYTES)
    documents.push([
      pieceKey(blob, first + at / PIECE_BYTES),
      { bytes: whole.toString('base64', at, at + PIECE_BYTES) },
    ]);
  await tx.putAll(blobPieces, documents);
}

async function readPiece(reader: Reader, blob: string, number: number): Promise<Buffer> {
  const piece = await reader.get(blobPieces, pieceKey(blob, number));
  return Buffer.from(piece?.value.bytes ?? '', 'base64');
}

const piecesOf = (reader: Reader, blob: string) => pagesOf(reader, blobPieces, { prefix: `${blob}/`, page: PAGE });

export async function readBlob(reader: Reader, blob: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const page of piecesOf(reader, blob))
    for (const { value } of page) pieces.push(Buffer.from(value.bytes, 'base64'));
  return Buffer.concat(pieces);
}

/** The base64 text of a blob, as JSON shows bytes. */
export async function readBlobText(reader: Reader, blob: string): Promise<string> {
  const texts: string[] = [];
  for await (const page of piecesOf(reader, blob)) for (const { value } of page) texts.push(value.bytes);
  return texts.join('');
}

/** The bytes from `from` up to, but not including, `to`. */
export async function readPart(reader: Reader, blob: string, from: number, to: number): Promise<Buffer> {
  const first = Math.floor(from / PIECE_BYTES);
  const pieces: Buffer[] = [];
  for (let number = first; number * PIECE_BYTES < to; number++) pieces.push(await readPiece(reader, blob, number));
  return Buffer.concat(pieces).subarray(from - first * PIECE_BYTES, to - first * PIECE_BYTES);
}

/**
 * Streams a blob for an answer: it is read as fast as the client consumes it. If the blob is deleted meanwhile, the stream ends with an
 * error, never early.
 */
export function streamBlob(reader: Reader, blob: string, size: number): Readable {
  async function* bytes(): AsyncGenerator<Buffer> {
    let sent = 0;
    for await (const { value } of walk(reader, blobPieces, { prefix: `${blob}/`, page: PAGE })) {
      const piece = Buffer.from(value.bytes, 'base64');
      sent += piece.length;
      yield piece;
    }
    if (sent !== size) throw new Error(`a blob of ${size} bytes ended after ${sent}`);
  }
  return Readable.from(bytes(), { objectMode: false });
}

export async function copyBlob(tx: Tx, blob: string): Promise<string> {
  const copy = etag();
  for await (const page of piecesOf(tx, blob))
    await tx.putAll(
      blobPieces,
      page.map(({ key, value }) => [copy + key.slice(blob.length), value] as const),
    );
  return copy;
}

export async function deleteBlob(tx: Tx, blob: string): Promise<void> {
  for await (const page of piecesOf(tx, blob)) for (const { key } of page) await tx.delete(blobPieces, key);
}
