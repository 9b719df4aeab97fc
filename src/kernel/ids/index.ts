import { randomFillSync, randomUUID } from 'node:crypto';

/** Random bytes are generated in bulk: one system call serves many ids. */
const POOL_BYTES = 8192;
const ETAG_BYTES = 12;
const SHORT_ID_ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';

const pool = Buffer.allocUnsafe(POOL_BYTES);
let used = POOL_BYTES;

function take(bytes: number): number {
  if (used + bytes > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  const start = used;
  used += bytes;
  return start;
}

export const uuid = (): string => randomUUID();

/**
 * A unique text of 16 characters with 95 random bits, safe in headers and paths. The first character is a letter: users pass such ids to
 * commands, which would parse a leading `-` as a flag.
 */
export function etag(): string {
  const start = take(ETAG_BYTES);
  pool[start]! &= 0x7f;
  return pool.toString('base64url', start, start + ETAG_BYTES);
}

/** Lower-case letters and digits without look-alikes, for names that people read; 5 bits per character. */
export function shortId(length = 12): string {
  const start = take(length);
  let id = '';
  for (let i = start; i < start + length; i++) id += SHORT_ID_ALPHABET[pool[i]! & 31];
  return id;
}

/** A number of 15 digits, for APIs with numeric ids: every JSON implementation represents it exactly. */
export function numericId(): string {
  const start = take(6);
  return String(100_000_000_000_000 + pool.readUIntBE(start, 6));
}
