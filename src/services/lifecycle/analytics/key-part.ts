import { createHash } from 'node:crypto';

/** Longer keys are more than an index of a database takes. */
const LONGEST_PART = 200;

/** Any text as part of a key; a long one by its hash. */
export function part(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed());
  return encoded.length <= LONGEST_PART ? encoded : createHash('sha256').update(encoded).digest('hex');
}
