import {
  extendHash,
  FIRST_IDEOGRAPH,
  hashWord,
  LONGEST_NGRAM,
  NGRAM_SEED,
} from '../../src/services/translator/detector/ngrams.ts';
import { EDGE } from '../../src/services/translator/detector/reader.ts';
import type { FeatureTable } from './features.ts';
import { exampleDrawer, isCommon, type Letters, type Pool } from './pools.ts';
import { seededRandom } from './random.ts';

/** The weight matrix: one row per feature, one column per language. */
export interface Matrix {
  readonly columns: number;
  readonly weights: Float32Array;
  /** Bit mask of weights that may be non-zero after pruning. */
  readonly kept?: Uint8Array;
}

export interface Training {
  readonly pools: readonly Pool[];
  readonly letters: Letters;
  /** Maps features to row numbers. */
  readonly rows: FeatureTable;
  readonly matrix: Matrix;
  readonly examples: number;
  readonly rate: number;
  readonly seed: number;
}

/**
 * Lengths of examples in words, with their shares: the shorter, the more there is to learn. Rare languages are drawn less often for short
 * examples than common ones, and more often for long ones.
 */
const LENGTHS: readonly { readonly words: number; readonly share: number; readonly rareLanguages: number }[] = [
  { words: 1, share: 0.52, rareLanguages: 0.25 },
  { words: 2, share: 0.23, rareLanguages: 0.35 },
  { words: 4, share: 0.13, rareLanguages: 0.8 },
  { words: 12, share: 0.12, rareLanguages: 1.5 },
];

/** Close relatives share most of their words, and only sentences distinguish them: they are drawn more often for long examples. */
const CLOSE_RELATIVES = new Set(
  'bs hr sr-Latn ms id nb nn da es pt gl st tn nso zu xh yue zh-Hant fa prs bo dz'.split(' '),
);
const LONG_EXAMPLE = 12;
const CLOSE_RELATIVES_SHARE = 2;

const NEGLIGIBLE = 5e-4;

export const LONGEST_EXAMPLE = 16;

/** Writes the row numbers of an example's features to `into`. The innermost loop of training, so function calls are inlined. */
export function gatherRows(
  { units }: Letters,
  rows: FeatureTable,
  words: Uint32Array,
  count: number,
  into: Int32Array,
): number {
  let size = 0;
  for (let word = 0; word < count; word += 1) {
    const start = words[word] as number;
    let end = start + 1;
    while (units[end] !== EDGE) end += 1;
    if (size + (end - start) * LONGEST_NGRAM > into.length) break;
    for (let first = start; first < end; first += 1) {
      let hash = NGRAM_SEED;
      const last = Math.min(end, first + LONGEST_NGRAM - 1);
      for (let at = first; at <= last; at += 1) {
        hash = extendHash(hash, units[at] as number);
        if (at === first && (units[at] as number) < FIRST_IDEOGRAPH) continue;
        const place = rows.place(hash);
        if (rows.keys[place] === 0) break;
        into[size++] = rows.values[place] as number;
      }
    }
    if (end - start > 4) {
      const place = rows.place(hashWord(units, start + 1, end));
      if (rows.keys[place] !== 0) into[size++] = rows.values[place] as number;
    }
  }
  return size;
}

export function drawLength(random: () => number): number {
  let choice = random();
  let length = 1;
  for (const { share, words } of LENGTHS) {
    length = words;
    choice -= share;
    if (choice < 0) break;
  }
  return length;
}

/** Shares of the languages among the examples of each length. */
function sharesByLength(pools: readonly Pool[]): Map<number, Float64Array> {
  return new Map(
    LENGTHS.map(({ words, rareLanguages }) => {
      const weights = pools.map(
        ({ language }) =>
          (isCommon(language) ? 1 : rareLanguages) *
          (words >= LONG_EXAMPLE && CLOSE_RELATIVES.has(language) ? CLOSE_RELATIVES_SHARE : 1),
      );
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      return [words, Float64Array.from(weights, (weight) => weight / total)];
    }),
  );
}

function languageDrawer(shares: ReadonlyMap<number, Float64Array>, random: () => number): (length: number) => number {
  return (length) => {
    const ofLength = shares.get(length) as Float64Array;
    let left = random();
    let index = 0;
    while (index < ofLength.length - 1 && left >= (ofLength[index] as number)) left -= ofLength[index++] as number;
    return index;
  };
}

/** Stochastic gradient descent with a step size per row (Adagrad by rows) and a rate that falls to zero. */
export function train({ pools, letters, rows, matrix, examples, rate, seed }: Training): void {
  const random = seededRandom(seed);
  const drawers = pools.map((pool) => exampleDrawer(pool, letters, random));
  const shares = sharesByLength(pools);
  const drawLanguage = languageDrawer(shares, random);
  // The sampling frequency of a language is passed to the model, so that its weights learn only the evidence of the letters: a preference
  // in the weights of every word would grow with the length of the text.
  const offsets = new Map(
    [...shares].map(([length, ofLength]) => [length, ofLength.map((share) => Math.log(Math.max(share, 1e-9)))]),
  );
  const { columns, weights, kept } = matrix;
  const squares = new Float32Array(weights.length / columns);
  const words = new Uint32Array(LONGEST_EXAMPLE);
  const active = new Int32Array(4096);
  const scores = new Float64Array(columns);
  const began = Date.now();
  let loss = 0;
  let right = 0;
  for (let example = 0; example < examples; example += 1) {
    const length = drawLength(random);
    const truth = drawLanguage(length);
    const count = (drawers[truth] as (length: number, into: Uint32Array) => number)(length, words);
    const size = gatherRows(letters, rows, words, count, active);
    scores.set(offsets.get(length) as Float64Array);
    for (let index = 0; index < size; index += 1) {
      const row = (active[index] as number) * columns;
      for (let column = 0; column < columns; column += 1)
        scores[column] = (scores[column] as number) + (weights[row + column] as number);
    }
    let best = 0;
    for (let column = 1; column < columns; column += 1)
      if ((scores[column] as number) > (scores[best] as number)) best = column;
    const highest = scores[best] as number;
    let sum = 0;
    for (let column = 0; column < columns; column += 1) {
      const exp = Math.exp((scores[column] as number) - highest);
      scores[column] = exp;
      sum += exp;
    }
    let square = 0;
    for (let column = 0; column < columns; column += 1) {
      const probability = (scores[column] as number) / sum;
      const gradient = column === truth ? probability - 1 : probability;
      scores[column] = gradient;
      square += gradient * gradient;
    }
    loss -= Math.log(Math.max(1e-12, (scores[truth] as number) + 1));
    if (best === truth) right += 1;
    if (square > 1e-6) {
      const step = rate * (1 - example / examples) + rate * 0.01;
      // Long examples share one error among many features.
      const share = step / Math.sqrt(Math.max(1, count));
      for (let column = 0; column < columns; column += 1) {
        const gradient = scores[column] as number;
        if (gradient < NEGLIGIBLE && gradient > -NEGLIGIBLE) continue;
        const change = gradient * share;
        for (let index = 0; index < size; index += 1) {
          const row = active[index] as number;
          const at = row * columns + column;
          if (kept !== undefined && kept[at] === 0) continue;
          weights[at] = (weights[at] as number) - change / Math.sqrt(1 + (squares[row] as number));
        }
      }
      for (let index = 0; index < size; index += 1)
        squares[active[index] as number] = (squares[active[index] as number] as number) + square;
    }
    if ((example + 1) % 1_000_000 === 0) {
      console.log(
        `${(example + 1) / 1e6}M examples, loss ${(loss / 1e6).toFixed(4)}, right ${(right / 1e4).toFixed(2)} %, ${((Date.now() - began) / 1000).toFixed(0)} s`,
      );
      loss = 0;
      right = 0;
    }
  }
}
