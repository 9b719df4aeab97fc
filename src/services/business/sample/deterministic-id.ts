import { createHash } from 'node:crypto';

/** A GUID derived from these words, so that the same seed always yields the same ids. */
export function deterministicId(...words: readonly string[]): string {
  const hex = createHash('sha1').update(JSON.stringify(words)).digest('hex');
  // UUID version 8: vendor-specific.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Key prefix of a company's records. */
export const storageKeyOf = (tenantId: string, company: string): string =>
  `c${createHash('sha1')
    .update(JSON.stringify([tenantId, company]))
    .digest('hex')
    .slice(0, 11)}`;
