/**
 * Features of a word: every run of two to six signs in it, including its edges, and the whole word. A feature is identified by a 32-bit
 * hash. Training and detection share this file, so that their features are identical.
 */

export const LONGEST_NGRAM = 6;

/** From this code unit on a single sign is a feature; a single letter of an alphabet says too little. */
export const FIRST_IDEOGRAPH = 0x3000;

/** Initial hash of a run of signs. */
export const NGRAM_SEED = 0x2545f491;
/** Initial hash of a whole word: a word is a different feature than the same letters inside another word. */
export const WORD_SEED = 0x6c8e9cf5;

/** Adds one sign to a hash. */
export function extendHash(hash: number, unit: number): number {
  const mixed = Math.imul(hash ^ unit, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

/** Hash of the word in `units` from `first` up to, but not including, `end`. */
export function hashWord(units: Uint16Array, first: number, end: number): number {
  let hash = WORD_SEED;
  for (let index = first; index < end; index += 1) hash = extendHash(hash, units[index] as number);
  return hash;
}
