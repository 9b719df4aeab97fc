import { createHash } from 'node:crypto';

/** Database indexes limit the length of keys. */
const LONGEST_PART = 200;

/** Encodes a text as part of a key; a long text becomes its hash. */
export function part(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed());
  return encoded.length <= LONGEST_PART ? encoded : createHash('sha256').update(encoded).digest('hex');
}
