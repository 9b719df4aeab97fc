import { createHash, webcrypto } from 'node:crypto';

/** For smaller pieces, dispatching to another thread takes longer than hashing. */
const ALONE_BYTES = 64 * 1024;

/**
 * The hash of a file that is read piece by piece: each piece's SHA-256 is hashed together with the hash so far. The state between two
 * pieces is therefore just a hash, which can be stored, so a copy resumes after a crash without reading the file again. Large pieces are
 * hashed on Node's thread pool, in parallel with reads and writes of other files.
 */
export async function hashOn(soFar: string, piece: Uint8Array<ArrayBuffer>): Promise<string> {
  const own =
    piece.length < ALONE_BYTES
      ? createHash('sha256').update(piece).digest()
      : new Uint8Array(await webcrypto.subtle.digest('SHA-256', piece));
  return createHash('sha256').update(soFar, 'hex').update(own).digest('hex');
}

/** The hash of zero bytes. */
export const HASH_START = '';
