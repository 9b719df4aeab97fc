import { createHash } from 'node:crypto';

/** A GUID that follows from these words, so that what is made from the same seed has the same ids every time. */
export function deterministicId(...words: readonly string[]): string {
  const hex = createHash('sha1').update(JSON.stringify(words)).digest('hex');
  // Version 8 is for ids that are made in one's own way.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** What stands before the keys of a company's records. */
export const storageKeyOf = (tenantId: string, company: string): string =>
  `c${createHash('sha1')
    .update(JSON.stringify([tenantId, company]))
    .digest('hex')
    .slice(0, 11)}`;
