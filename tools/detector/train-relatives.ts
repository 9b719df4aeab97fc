import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FeatureTable } from './features.ts';
import { LANGUAGES } from './languages.ts';
import { exampleDrawer, type Folders, keptAway, Letters, readPool } from './pools.ts';
import { seededRandom } from './random.ts';
import { GROUPS_OF_RELATIVES, RELATIVES_EXAMPLES, RELATIVES_RATE } from './relatives.ts';
import { drawLength, gatherRows, LONGEST_EXAMPLE, type Matrix } from './softmax.ts';

// Usage: node tools/detector/train-relatives.ts <Common Voice folder> <work folder>
const [commonVoice = '', work = ''] = process.argv.slice(2);
const folders: Folders = { commonVoice, text: join(work, 'text'), drawn: join(work, 'drawn') };
const SEED = 31;
/** A new weight that stays below this after training is dropped. */
const LEAST_NEW_WEIGHT = 0.1;

const away = keptAway(folders, LANGUAGES);
for (const [system, groups] of Object.entries(GROUPS_OF_RELATIVES)) {
  const file = (kind: string): string => join(work, 'model', `${system}.${kind}`);
  const { languages } = JSON.parse(readFileSync(file('json'), 'utf8')) as { languages: string[] };
  const rows = rowsOf(new Uint32Array(bufferOf(file('keys'))));
  const matrix: Matrix = { columns: languages.length, weights: new Float32Array(bufferOf(file('weights'))) };
  for (const [index, group] of groups.entries()) {
    const letters = new Letters();
    const pools = group.map((language) => readPool(language, system, folders, letters, away, true));
    const columns = group.map((language) => languages.indexOf(language));
    const before = countOf(matrix, columns);
    trainGroup(pools, letters, rows, matrix, columns, SEED + index);
    console.log(`${group.join(' ')}: ${before} weights, now ${countOf(matrix, columns)}`);
  }
  writeFileSync(file('weights'), matrix.weights);
}

/**
 * Gradient descent as in `softmax.ts`, only among the languages of a group. The gains of one language are the losses of the others, so that
 * the likelihood of the whole group relative to all other languages stays the same.
 */
function trainGroup(
  pools: readonly ReturnType<typeof readPool>[],
  letters: Letters,
  rows: FeatureTable,
  { columns: width, weights }: Matrix,
  columns: readonly number[],
  seed: number,
): void {
  const random = seededRandom(seed);
  const drawers = pools.map((pool) => exampleDrawer(pool, letters, random));
  const examples = RELATIVES_EXAMPLES * pools.length;
  const had = new Uint8Array(weights.length / width);
  for (let row = 0; row < had.length; row += 1)
    for (const [bit, column] of columns.entries())
      if (weights[row * width + column] !== 0) had[row] = (had[row] as number) | (1 << bit);
  const squares = new Float32Array(had.length);
  const words = new Uint32Array(LONGEST_EXAMPLE);
  const active = new Int32Array(4096);
  const scores = new Float64Array(columns.length);
  for (let example = 0; example < examples; example += 1) {
    const length = drawLength(random);
    const truth = Math.floor(random() * columns.length);
    const count = (drawers[truth] as ReturnType<typeof exampleDrawer>)(length, words);
    const size = gatherRows(letters, rows, words, count, active);
    let sum = 0;
    for (const [index, column] of columns.entries()) {
      let score = 0;
      for (let at = 0; at < size; at += 1) score += weights[(active[at] as number) * width + column] as number;
      scores[index] = score;
    }
    const highest = Math.max(...scores);
    for (let index = 0; index < scores.length; index += 1) {
      scores[index] = Math.exp((scores[index] as number) - highest);
      sum += scores[index] as number;
    }
    let square = 0;
    for (let index = 0; index < scores.length; index += 1) {
      const gradient = (scores[index] as number) / sum - (index === truth ? 1 : 0);
      scores[index] = gradient;
      square += gradient * gradient;
    }
    if (square < 1e-6) continue;
    const step = (RELATIVES_RATE * (1 - example / examples)) / Math.sqrt(Math.max(1, count));
    for (let at = 0; at < size; at += 1) {
      const row = active[at] as number;
      // A feature without any weight in the group stays dropped.
      if (had[row] === 0) continue;
      const change = step / Math.sqrt(1 + (squares[row] as number));
      for (const [index, column] of columns.entries()) {
        const place = row * width + column;
        weights[place] = (weights[place] as number) - change * (scores[index] as number);
      }
    }
    for (let at = 0; at < size; at += 1)
      squares[active[at] as number] = (squares[active[at] as number] as number) + square;
  }
  for (let row = 0; row < had.length; row += 1)
    for (const [bit, column] of columns.entries()) {
      const place = row * width + column;
      if (((had[row] as number) & (1 << bit)) === 0 && Math.abs(weights[place] as number) < LEAST_NEW_WEIGHT)
        weights[place] = 0;
    }
}

function rowsOf(keys: Uint32Array): FeatureTable {
  const rows = new FeatureTable(Math.ceil(Math.log2(keys.length * 2)));
  for (const [row, key] of keys.entries()) rows.add(key, row);
  return rows;
}

function countOf({ columns: width, weights }: Matrix, columns: readonly number[]): number {
  let count = 0;
  for (let row = 0; row < weights.length; row += width)
    for (const column of columns) if (weights[row + column] !== 0) count += 1;
  return count;
}

function bufferOf(path: string): ArrayBuffer {
  const bytes = readFileSync(path);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
}
