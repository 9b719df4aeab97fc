import { etag } from '../../../kernel/ids/index.ts';
import { type Reader, readAll, type Tx } from '../../../kernel/store/index.ts';
import { blobPieces } from '../collections.ts';

/** Bytes of any length (the source of a message, a file), kept as pieces: no document is large, and writing one is no long pause. */

const PIECE_BYTES = 192 * 1024;
const PIECE_DIGITS = 6;

const pieceKey = (blob: string, number: number): string => `${blob}/${String(number).padStart(PIECE_DIGITS, '0')}`;

/** Gives the id of the new blob. */
export async function putBlob(tx: Tx, bytes: Buffer, blob: string = etag()): Promise<string> {
  await putPieces(tx, blob, 0, bytes);
  return blob;
}

/** Adds pieces behind those that are there; gives the number of the next one. */
export async function putPieces(tx: Tx, blob: string, from: number, bytes: Buffer): Promise<number> {
  let number = from;
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    await tx.put(blobPieces, pieceKey(blob, number), { bytes: bytes.toString('base64', at, at + PIECE_BYTES) });
    number += 1;
  }
  return number;
}

export async function readBlob(store: Reader, blob: string): Promise<Buffer> {
  const pieces = await readAll(store, blobPieces, { prefix: `${blob}/` });
  return Buffer.concat(pieces.map(({ value }) => Buffer.from(value.bytes, 'base64')));
}

export async function copyBlob(tx: Tx, blob: string): Promise<string> {
  const copy = etag();
  for (const { key, value } of await readAll(tx, blobPieces, { prefix: `${blob}/` }))
    await tx.put(blobPieces, copy + key.slice(blob.length), value);
  return copy;
}

export async function deleteBlob(tx: Tx, blob: string): Promise<void> {
  for (const { key } of await readAll(tx, blobPieces, { prefix: `${blob}/` })) await tx.delete(blobPieces, key);
}
