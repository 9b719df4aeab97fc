import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseFeatures } from './count.ts';
import type { FeatureTable } from './features.ts';
import { setFirstWeights } from './first-weights.ts';
import { LANGUAGES, LANGUAGES_OF_SYSTEM } from './languages.ts';
import type { SystemPlan } from './plan.ts';
import { type Folders, keptAway, Letters, readPool } from './pools.ts';
import { neededRows, prune } from './prune.ts';
import { report } from './report.ts';
import { type Matrix, train } from './softmax.ts';
import { drawnTexts, tuningTexts } from './tuning-texts.ts';

const RATE = 0.2;
const SEED = 11;

/** Trains the model of one writing system and writes it to `<folder>/<system>.{json,keys,weights}` for `pack.ts`. */
export function trainSystem(system: string, plan: SystemPlan, folders: Folders, folder: string): void {
  const letters = new Letters();
  const away = keptAway(folders, LANGUAGES);
  const all = (LANGUAGES_OF_SYSTEM[system] ?? []).map((language) => readPool(language, system, folders, letters, away));
  // A language without any text in this writing system cannot be learned.
  const pools = all.filter((pool) => pool.words > 0);
  for (const { language, sources } of pools)
    console.log(language, sources.map(({ name, starts }) => `${name} ${starts.length}`).join(', '));
  const languages = pools.map((pool) => pool.language);
  const texts = [
    ...tuningTexts(languages, system, folders, letters),
    ...drawnTexts(languages, system, folders, letters),
  ];
  const { rows, frequencies } = chooseFeatures({ pools, letters, words: plan.words, features: plan.features });
  const matrix: Matrix = {
    columns: languages.length,
    weights: new Float32Array(frequencies.length * languages.length),
  };
  setFirstWeights(pools, letters, plan.words, rows, matrix);
  report('from counts', languages, texts, letters, rows, matrix);
  train({ pools, letters, rows, matrix, examples: plan.examples, rate: RATE, seed: SEED });
  report('trained', languages, texts, letters, rows, matrix);
  const kept = prune(matrix, frequencies, plan.weights);
  train({
    pools,
    letters,
    rows,
    matrix: { ...matrix, kept },
    examples: plan.refinements,
    rate: RATE / 3,
    seed: SEED + 1,
  });
  report('pruned', languages, texts, letters, rows, matrix);
  const starts = pools.flatMap((pool) => pool.sources.map((source) => source.starts));
  save(folder, system, languages, rows, matrix, neededRows(matrix.columns, kept, starts, letters, rows));
}

/** Only the needed rows, ordered by hash. */
function save(
  folder: string,
  system: string,
  languages: readonly string[],
  rows: FeatureTable,
  { columns, weights }: Matrix,
  needed: Uint8Array,
): void {
  const order: number[] = [];
  for (const [place, key] of rows.keys.entries())
    if (key !== 0 && needed[rows.values[place] as number] === 1) order.push(place);
  order.sort((one, other) => (rows.keys[one] as number) - (rows.keys[other] as number));
  const sorted = new Float32Array(order.length * columns);
  for (const [index, place] of order.entries()) {
    const row = (rows.values[place] as number) * columns;
    sorted.set(weights.subarray(row, row + columns), index * columns);
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, `${system}.keys`),
    Uint32Array.from(order, (place) => rows.keys[place] as number),
  );
  writeFileSync(join(folder, `${system}.weights`), sorted);
  writeFileSync(join(folder, `${system}.json`), JSON.stringify({ system, languages, rows: order.length }));
}
