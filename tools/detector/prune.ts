import { type FeatureTable, visitFeatures } from './features.ts';
import type { Letters } from './pools.ts';
import type { Matrix } from './softmax.ts';

/**
 * Maximum number of weights per row. Without it, frequent features would keep a weight for every language, and adding these up takes most
 * of the detection time.
 */
const MOST_OF_A_ROW = 16;

/**
 * Keeps `pairs` weights of the matrix and sets all others to zero; returns which were kept. Adding a constant to a row changes no answer,
 * so each row is first shifted until its most frequent weight is zero: the remaining weights say for and against which languages the
 * feature counts.
 */
export function prune({ columns, weights }: Matrix, frequencies: Float64Array, pairs: number): Uint8Array {
  const rows = weights.length / columns;
  const sorted = new Float32Array(columns);
  const importance = new Float32Array(weights.length);
  for (let row = 0; row < rows; row += 1) {
    const begin = row * columns;
    sorted.set(weights.subarray(begin, begin + columns));
    sorted.sort();
    const usual = sorted[columns >> 1] as number;
    const factor = Math.sqrt(frequencies[row] as number);
    for (let column = 0; column < columns; column += 1) {
      const moved = (weights[begin + column] as number) - usual;
      weights[begin + column] = moved;
      sorted[column] = Math.abs(moved);
    }
    sorted.sort();
    const least = columns > MOST_OF_A_ROW ? (sorted[columns - MOST_OF_A_ROW] as number) : 0;
    for (let at = begin; at < begin + columns; at += 1) {
      const size = Math.abs(weights[at] as number);
      importance[at] = size < least ? 0 : size * factor;
    }
  }
  const least = thresholdOf(importance, pairs);
  const kept = new Uint8Array(weights.length);
  let left = 0;
  for (let at = 0; at < weights.length; at += 1) {
    if ((importance[at] as number) > least) {
      kept[at] = 1;
      left += 1;
    } else weights[at] = 0;
  }
  console.log(`${left} weights are left of ${weights.length}`);
  return kept;
}

/** The value that about `count` entries exceed, estimated from a sample. */
function thresholdOf(values: Float32Array, count: number): number {
  if (count >= values.length) return 0;
  const stride = Math.max(1, Math.floor(values.length / 4_000_000));
  const sample = new Float32Array(Math.floor(values.length / stride));
  for (let index = 0; index < sample.length; index += 1) sample[index] = values[index * stride] as number;
  sample.sort();
  return sample[Math.max(0, Math.floor(sample.length * (1 - count / values.length)))] as number;
}

/**
 * The rows that the detector must have: rows with a remaining weight, and the shorter runs that lead to them, because the detector stops at
 * the first unknown run.
 */
export function neededRows(
  columns: number,
  kept: Uint8Array,
  sources: readonly Uint32Array[],
  letters: Letters,
  rows: FeatureTable,
): Uint8Array {
  const count = kept.length / columns;
  const speaks = new Uint8Array(count);
  for (let row = 0; row < count; row += 1)
    speaks[row] = kept.subarray(row * columns, (row + 1) * columns).includes(1) ? 1 : 0;
  const needed = new Uint8Array(count);
  const way: number[] = [];
  for (const starts of sources)
    for (const start of starts) {
      visitFeatures(letters.units, start, (hash, length) => {
        const at = rows.place(hash);
        if (rows.keys[at] === 0) return false;
        const row = rows.values[at] as number;
        way[length] = row;
        if (speaks[row] === 1)
          for (let shorter = 1; shorter <= length; shorter += 1)
            if (way[shorter] !== undefined) needed[way[shorter] as number] = 1;
        return true;
      });
    }
  for (let row = 0; row < count; row += 1) if (speaks[row] === 1) needed[row] = 1;
  return needed;
}
