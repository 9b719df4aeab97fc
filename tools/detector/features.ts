import {
  extendHash,
  FIRST_IDEOGRAPH,
  hashWord,
  LONGEST_NGRAM,
  NGRAM_SEED,
} from '../../src/services/translator/detector/ngrams.ts';
import { EDGE } from '../../src/services/translator/detector/reader.ts';

/** A hash table from features to numbers, in typed arrays because there are millions of entries. */
export class FeatureTable {
  keys: Uint32Array;
  values: Float64Array;
  size = 0;
  private shift: number;

  constructor(bits: number) {
    this.keys = new Uint32Array(1 << bits);
    this.values = new Float64Array(1 << bits);
    this.shift = 32 - bits;
  }

  /** Slot of a key, or the empty slot where it would be inserted. */
  place(hash: number): number {
    const key = hash >>> 0 || 1;
    const mask = this.keys.length - 1;
    let at = key >>> this.shift;
    for (;;) {
      const found = this.keys[at];
      if (found === key || found === 0) return at;
      at = (at + 1) & mask;
    }
  }

  add(hash: number, amount: number): void {
    const at = this.place(hash);
    if (this.keys[at] === 0) {
      if (this.size > this.keys.length * 0.7) throw new Error('The table of features is full.');
      this.keys[at] = hash >>> 0 || 1;
      this.size += 1;
    }
    this.values[at] = (this.values[at] as number) + amount;
  }

  get(hash: number): number | undefined {
    const at = this.place(hash);
    return this.keys[at] === 0 ? undefined : this.values[at];
  }

  clear(): void {
    this.keys.fill(0);
    this.values.fill(0);
    this.size = 0;
  }
}

/** The end of a word that begins at `start`: the edge after its last letter. */
export function endOf(units: Uint16Array, start: number): number {
  let end = start + 1;
  while (units[end] !== EDGE) end += 1;
  return end;
}

/** Passed by `visitFeatures` for a whole word, in place of the length of a run. */
export const WHOLE_WORD = 0;

/**
 * Calls `visit` with the hash of every feature of the word that begins at `start`, and the length of the run; if it returns false, no
 * longer runs are visited.
 */
export function visitFeatures(
  units: Uint16Array,
  start: number,
  visit: (hash: number, length: number) => boolean,
): void {
  const end = endOf(units, start);
  for (let first = start; first < end; first += 1) {
    const sign = units[first] as number;
    let hash = extendHash(NGRAM_SEED, sign);
    if (sign >= FIRST_IDEOGRAPH && !visit(hash, 1)) continue;
    const last = Math.min(end, first + LONGEST_NGRAM - 1);
    for (let at = first + 1; at <= last; at += 1) {
      hash = extendHash(hash, units[at] as number);
      if (!visit(hash, at - first + 1)) break;
    }
  }
  if (end - start > 4) visit(hashWord(units, start + 1, end), WHOLE_WORD);
}
