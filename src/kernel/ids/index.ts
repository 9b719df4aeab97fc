import { randomFillSync, randomUUID } from 'node:crypto';

/** Random bytes are drawn in bulk: one call to the system serves many ids. */
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
 * 95 random bits in 16 characters that are safe in headers and paths; no two are ever alike. The first is a letter: people give such ids to commands,
 * which would read `-` at the beginning as a flag.
 */
export function etag(): string {
  const start = take(ETAG_BYTES);
  pool[start]! &= 0x7f;
  return pool.toString('base64url', start, start + ETAG_BYTES);
}

/** Lower case letters and digits without look-alikes, for names that people read; 5 bits a character. */
export function shortId(length = 12): string {
  const start = take(length);
  let id = '';
  for (let i = start; i < start + length; i++) id += SHORT_ID_ALPHABET[pool[i]! & 31];
  return id;
}

/** Whole numbers of 15 digits, for APIs whose ids are numbers: JSON carries them exactly everywhere. */
export function numericId(): string {
  const start = take(6);
  return String(100_000_000_000_000 + pool.readUIntBE(start, 6));
}
