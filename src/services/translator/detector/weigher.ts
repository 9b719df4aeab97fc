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

/** Weighs texts: gives what the letters of each writing system say, in arrays that the next text uses again. */
export function createWeigher(model: Model): (text: string) => readonly Evidence[] {
  const { header, table, pairs, shift } = model;
  const reader = new WordReader(LONGEST_READ);
  const mask = table.length - 1;
  const evidence: Evidence[] = WRITING_SYSTEMS.map((system) => {
    const languages = header.systems.find((candidate) => candidate.name === system.name)?.languages ?? [];
    return { letters: 0, scores: new Int32Array(languages.length) };
  });

  /** Adds the weights of a feature, if the model knows it. */
  const add = (hash: number, scores: Int32Array): boolean => {
    const key = hash >>> 0;
    let at = (key >>> shift) << 1;
    let found = table[at] as number;
    while (found !== key) {
      if (found === 0) return false;
      at = (at + 2) & mask;
      found = table[at] as number;
    }
    let pair = table[at + 1] as number;
    const last = pair + (pairs[pair] as number);
    while (pair < last) {
      pair += 1;
      const value = pairs[pair] as number;
      const language = value & 255;
      scores[language] = (scores[language] as number) + (value >> 8);
    }
    return true;
  };

  /** Adds the weights of all features of one word. This is where the time goes, so it makes nothing. */
  const addWord = (start: number, end: number, scores: Int32Array): void => {
    const { units } = reader;
    for (let first = start; first < end; first += 1) {
      const sign = units[first] as number;
      let hash = extendHash(NGRAM_SEED, sign);
      if (sign >= FIRST_IDEOGRAPH && !add(hash, scores)) continue;
      const last = Math.min(end, first + LONGEST_NGRAM - 1);
      for (let index = first + 1; index <= last; index += 1) {
        hash = extendHash(hash, units[index] as number);
        // A run that is unknown has no longer run that is known.
        if (!add(hash, scores)) break;
      }
    }
    if (end - start > 4) add(hashWord(units, start + 1, end), scores);
  };

  return (text) => {
    for (const own of evidence) {
      if (own.letters === 0) continue;
      own.letters = 0;
      own.scores.fill(0);
    }
    reader.read(text);
    for (let word = 0; word < reader.words; word += 1) {
      const start = reader.starts[word] as number;
      const end = reader.starts[word + 1] as number;
      const own = evidence[reader.systems[word] as number] as Evidence;
      own.letters += end - start - 1;
      if (own.scores.length > 0) addWord(start, end, own.scores);
    }
    return evidence;
  };
}
