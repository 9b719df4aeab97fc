import { FeatureTable, visitFeatures } from './features.ts';
import { exampleDrawer, isCommon, type Letters, type Pool } from './pools.ts';
import { seededRandom } from './random.ts';

export interface Counting {
  readonly pools: readonly Pool[];
  readonly letters: Letters;
  /** Number of words examined per language. */
  readonly words: number;
  /** Maximum number of features to keep. */
  readonly features: number;
}

/** Minimum number of occurrences among the examined words, so that a feature is more than chance. */
const LEAST_OCCURRENCES = 3;

/** The most frequent features of all languages together, as a table from features to rows, and the frequency of each row. */
export function chooseFeatures({ pools, letters, words, features }: Counting): {
  rows: FeatureTable;
  frequencies: Float64Array;
} {
  const all = new FeatureTable(25);
  const own = new FeatureTable(23);
  const drawn = new Uint32Array(1);
  for (const [index, pool] of pools.entries()) {
    if (pool.words === 0) continue;
    own.clear();
    const draw = exampleDrawer(pool, letters, seededRandom(1000 + index));
    for (let word = 0; word < words; word += 1) {
      draw(1, drawn);
      visitFeatures(letters.units, drawn[0] as number, (hash) => {
        own.add(hash, 1);
        return true;
      });
    }
    const worth = isCommon(pool.language) ? 1 : 0.5;
    for (let at = 0; at < own.keys.length; at += 1) {
      const count = own.values[at] as number;
      if (count >= LEAST_OCCURRENCES) all.add(own.keys[at] as number, count * worth);
    }
  }
  const sorted = Float64Array.from(all.values.filter((value) => value > 0)).sort();
  const least = sorted[Math.max(0, sorted.length - features)] as number;
  console.log(`${all.size} features seen, those with a weight of ${least} or more are kept`);
  const rows = new FeatureTable(Math.ceil(Math.log2(features * 2)));
  const frequencies: number[] = [];
  for (let at = 0; at < all.keys.length; at += 1) {
    const frequency = all.values[at] as number;
    if (frequency < least || all.keys[at] === 0) continue;
    if (frequencies.length >= features) break;
    rows.add(all.keys[at] as number, frequencies.length);
    frequencies.push(frequency);
  }
  return { rows, frequencies: Float64Array.from(frequencies) };
}
