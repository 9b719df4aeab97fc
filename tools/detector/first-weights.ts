import type { FeatureTable } from './features.ts';
import { visitFeatures } from './features.ts';
import { exampleDrawer, type Letters, type Pool } from './pools.ts';
import { seededRandom } from './random.ts';
import type { Matrix } from './softmax.ts';

/**
 * Weight of one run relative to a single independent feature: runs of letters overlap and repeat each other, and a word of eight letters
 * has about thirty.
 */
const SHARE_OF_ONE = 0.15;

/** Added to each count (smoothing): a run that did not occur among the examined words is still possible. */
const UNSEEN = 0.2;

/**
 * Initialises training with weights from plain counts (naive Bayes) rather than with zero. A rare run occurs in only a few examples, which
 * are too few steps to learn its weights, and the counts give roughly correct ones at once.
 */
export function setFirstWeights(
  pools: readonly Pool[],
  letters: Letters,
  words: number,
  rows: FeatureTable,
  { columns, weights }: Matrix,
): void {
  const drawn = new Uint32Array(1);
  for (const [column, pool] of pools.entries()) {
    const draw = exampleDrawer(pool, letters, seededRandom(1000 + column));
    for (let word = 0; word < words; word += 1) {
      draw(1, drawn);
      visitFeatures(letters.units, drawn[0] as number, (hash) => {
        const place = rows.place(hash);
        if (rows.keys[place] === 0) return false;
        const at = (rows.values[place] as number) * columns + column;
        weights[at] = (weights[at] as number) + 1;
        return true;
      });
    }
  }
  for (let begin = 0; begin < weights.length; begin += columns) {
    let sum = 0;
    for (let at = begin; at < begin + columns; at += 1) {
      const log = Math.log((weights[at] as number) + UNSEEN);
      weights[at] = log;
      sum += log;
    }
    for (let at = begin; at < begin + columns; at += 1)
      weights[at] = SHARE_OF_ONE * ((weights[at] as number) - sum / columns);
  }
}
