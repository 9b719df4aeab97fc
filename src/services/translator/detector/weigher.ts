import { LONGEST_READ } from './excerpts.ts';
import type { Model } from './model.ts';
import { extendHash, FIRST_IDEOGRAPH, hashWord, LONGEST_NGRAM, NGRAM_SEED } from './ngrams.ts';
import { WordReader } from './reader.ts';
import { WRITING_SYSTEMS } from './scripts.ts';

/** What the letters of one writing system said. */
export interface Evidence {
  /** Letters read, times what a letter of the system is worth. */
  letters: number;
  /** Sums of weights, one for each language of the system. */
  readonly scores: Int32Array;
}

/** A shorter word, between its edges, is a run of letters already. */
const SHORTEST_WORD = 4;

/** Weighs texts: gives what the letters of each writing system say, in arrays that the next text uses again. */
export function createWeigher(model: Model): (text: string) => readonly Evidence[] {
  const { header, table, pairs, shift } = model;
  const reader = new WordReader(LONGEST_READ);
  const mask = table.length - 1;
  const evidence: Evidence[] = WRITING_SYSTEMS.map((system) => {
    const languages = header.systems.find((candidate) => candidate.name === system.name)?.languages ?? [];
    return { letters: 0, scores: new Int32Array(languages.length) };
  });

  const found = new Uint32Array(LONGEST_READ * (LONGEST_NGRAM + 1));
  let count = 0;

  /** Notes where the weights of a feature lie, if the model knows it. */
  const note = (hash: number): boolean => {
    const key = hash >>> 0;
    let at = (key >>> shift) << 1;
    let other = table[at] as number;
    while (other !== key) {
      if (other === 0) return false;
      at = (at + 2) & mask;
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
        // A run that is unknown has no longer run that is known.
        if (!note(hash)) break;
      }
    }
    if (end - start > SHORTEST_WORD) note(hashWord(units, start + 1, end));
  };

  /** Adds up what was noted. That it is known where everything lies lets the processor fetch it ahead: most of the time goes here. */
  const addUp = (scores: Int32Array): void => {
    for (let index = 0; index < count; index += 1) {
      const place = found[index] as number;
      let pair = place >>> 8;
      const last = pair + (place & 255) - 1;
      // Two at a time: the additions do not wait for each other.
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

  return (text) => {
    for (const own of evidence) {
      if (own.letters === 0) continue;
      own.letters = 0;
      own.scores.fill(0);
    }
    reader.read(text);
    const { units, starts, systems, words } = reader;
    for (let word = 0; word < words; word += 1) {
      const start = starts[word] as number;
      const end = starts[word + 1] as number;
      const system = systems[word] as number;
      const own = evidence[system] as Evidence;
      own.letters += end - start - 1;
      if (own.scores.length === 0) continue;
      noteWord(units, start, end);
      if (word + 1 === words || systems[word + 1] !== system) addUp(own.scores);
    }
    return evidence;
  };
}
