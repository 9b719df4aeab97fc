import { LONGEST_READ } from './excerpts.ts';
import type { Model } from './model.ts';
import { extendHash, FIRST_IDEOGRAPH, hashWord, LONGEST_NGRAM, NGRAM_SEED } from './ngrams.ts';
import type { WordReader } from './reader.ts';
import { WRITING_SYSTEMS } from './scripts.ts';

/** Evidence from the letters of one writing system. */
export interface Evidence {
  /** Number of letters. */
  letters: number;
  /** Number of letters that were weighed: weighing stops once the result is clear. */
  weighed: number;
  /** Sums of weights, one for each language of the system. */
  readonly scores: Int32Array;
}

/** A shorter word with its edges is already covered as a run of letters. */
const SHORTEST_WORD = 4;
/** Number of letters before the first check whether the result is clear, and between further checks. */
const FIRST_LOOK = 20;
const NEXT_LOOK = 10;
/**
 * Lead of the best language at which the result is clear: odds of at least a thousand to one, given that evidence is worth less than its
 * sum.
 */
const CLEAR = 10;

export type Weigher = (reader: WordReader, from: number, to: number) => readonly Evidence[];

/** Weighs a range of words of a text; returns the evidence of each writing system, in arrays that are reused. */
export function createWeigher({ header, table, pairs, placeOf }: Model): Weigher {
  const headers = WRITING_SYSTEMS.map(({ name }) => header.systems.find((system) => system.name === name));
  const evidence: Evidence[] = headers.map((system) => ({
    letters: 0,
    weighed: 0,
    scores: new Int32Array(system?.languages.length ?? 0),
  }));
  const clear = headers.map((system) => CLEAR / (system?.scale ?? 1));
  const nextLook = new Float64Array(WRITING_SYSTEMS.length);
  const found = new Uint32Array(LONGEST_READ * (LONGEST_NGRAM + 1));
  let count = 0;

  /** Notes the position of a feature's weights; returns whether the model knows the feature. */
  const note = (hash: number): boolean => {
    const key = hash >>> 0;
    let at = Math.trunc(key * placeOf) << 1;
    let other = table[at] as number;
    while (other !== key) {
      if (other === 0) return false;
      at += 2;
      other = table[at] as number;
    }
    found[count] = table[at + 1] as number;
    count += 1;
    return true;
  };

  const noteWord = (units: Uint16Array, start: number, end: number): void => {
    for (let first = start; first < end; first += 1) {
      const sign = units[first] as number;
      let hash = extendHash(NGRAM_SEED, sign);
      if (sign >= FIRST_IDEOGRAPH && !note(hash)) continue;
      const last = Math.min(end, first + LONGEST_NGRAM - 1);
      for (let index = first + 1; index <= last; index += 1) {
        hash = extendHash(hash, units[index] as number);
        // If a run is unknown, all longer runs are.
        if (!note(hash)) break;
      }
    }
    if (end - start > SHORTEST_WORD) note(hashWord(units, start + 1, end));
  };

  /** Adds up the noted weights. Most of the time is spent here; the known positions let the processor prefetch. */
  const addUp = (scores: Int32Array): void => {
    for (let index = 0; index < count; index += 1) {
      const place = found[index] as number;
      let pair = place >>> 8;
      const last = pair + (place & 255) - 1;
      // Two at a time, so that the additions are independent.
      for (; pair < last; pair += 2) {
        const one = pairs[pair] as number;
        const other = pairs[pair + 1] as number;
        scores[one & 255] = (scores[one & 255] as number) + (one >> 8);
        scores[other & 255] = (scores[other & 255] as number) + (other >> 8);
      }
      if (pair === last) {
        const one = pairs[pair] as number;
        scores[one & 255] = (scores[one & 255] as number) + (one >> 8);
      }
    }
    count = 0;
  };

  return (reader, from, to) => {
    for (const own of evidence) {
      if (own.letters === 0) continue;
      own.letters = 0;
      own.weighed = 0;
      own.scores.fill(0);
    }
    nextLook.fill(FIRST_LOOK);
    const { units, starts, systems } = reader;
    for (let word = from; word < to; word += 1) {
      const start = starts[word] as number;
      const end = starts[word + 1] as number;
      const system = systems[word] as number;
      const own = evidence[system] as Evidence;
      own.letters += end - start - 1;
      if (own.scores.length === 0 || nextLook[system] === 0) continue;
      noteWord(units, start, end);
      own.weighed += end - start - 1;
      const isLook = own.weighed >= (nextLook[system] as number);
      if (!isLook && word + 1 < to && systems[word + 1] === system) continue;
      addUp(own.scores);
      if (isLook) nextLook[system] = isAhead(own.scores, clear[system] as number) ? 0 : own.weighed + NEXT_LOOK;
    }
    return evidence;
  };
}

/** True if the highest score leads all others by the margin. */
function isAhead(scores: Int32Array, margin: number): boolean {
  let first = Number.NEGATIVE_INFINITY;
  let second = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < scores.length; index += 1) {
    const score = scores[index] as number;
    if (score > first) {
      second = first;
      first = score;
    } else if (score > second) second = score;
  }
  return first - second > margin;
}
