/**
 * The features of a word: every run of two to six signs in it, its edges included, and the word as a whole.
 * A feature is known by a hash of 32 bits. Training and detection share this file, so that they mean the same by it.
 */

export const LONGEST_NGRAM = 6;

/** From here on one sign says something by itself; a single letter of an alphabet hardly does, and is no feature. */
export const FIRST_IDEOGRAPH = 0x3000;

/** What the hash of a run of signs begins with. */
export const NGRAM_SEED = 0x2545f491;
/** What the hash of a whole word begins with: a word is another feature than the same letters inside a word. */
export const WORD_SEED = 0x6c8e9cf5;

/** Takes one more sign into a hash. */
export function extendHash(hash: number, unit: number): number {
  const mixed = Math.imul(hash ^ unit, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

/** Hash of a word that lies in `units` from `first` up to, not including, `end`. */
export function hashWord(units: Uint16Array, first: number, end: number): number {
  let hash = WORD_SEED;
  for (let index = first; index < end; index += 1) hash = extendHash(hash, units[index] as number);
  return hash;
}
