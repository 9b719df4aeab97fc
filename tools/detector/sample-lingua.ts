import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LINGUA_MODELS } from './languages.ts';
import { readLinguaModels, wordSampler } from './lingua.ts';
import { seededRandom } from './random.ts';

// Usage: node tools/detector/sample-lingua.ts <lingua_bg.wasm of npm @bluzzi/lingua 1.5.0> <work folder>
const [binary = '', work = ''] = process.argv.slice(2);

/**
 * Models that cannot be used for drawing words: writing systems without spaces or with marks that the models omit; and languages for which
 * the script alone decides.
 */
const UNUSABLE = new Set('zh-Hans ja ko th bn gu hi mr pa ta te ka el hy'.split(' '));

const WORDS = 1_000_000;
const TRAINING_SEED = 7;
const TUNING_SEED = 99;
const TUNING_TEXTS = 300;

const models = await readLinguaModels(binary, new Set(Object.values(LINGUA_MODELS)));
for (const [language, name] of Object.entries(LINGUA_MODELS)) {
  if (UNUSABLE.has(language)) continue;
  const model = models.get(name);
  if (model === undefined) throw new Error(`The package has no model of ${name}.`);
  const drawn = drawForTraining(wordSampler(model, seededRandom(TRAINING_SEED)));
  write(join(work, 'text', language), 'lingua-words.tsv', drawn);
  drawForTuning(language, wordSampler(model, seededRandom(TUNING_SEED)));
  console.log(language, `${drawn.length} different words`);
}

/** Words with their counts, the most frequent first. */
function drawForTraining(next: () => string): string[] {
  const counts = new Map<string, number>();
  for (let index = 0; index < WORDS; index += 1) {
    const word = next();
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].sort((one, other) => other[1] - one[1]).map(([word, times]) => `${word}\t${times}`);
}

/** Single words of at least five letters, and pairs of words, which are the usual test data for detectors. */
function drawForTuning(language: string, next: () => string): void {
  const words = new Set<string>();
  const pairs: string[] = [];
  while (words.size < TUNING_TEXTS) {
    const word = next();
    if (word.length >= 5) words.add(word);
  }
  while (pairs.length < TUNING_TEXTS) {
    const [first, second] = [next(), next()];
    if (first.length >= 5 && second.length >= 3) pairs.push(`${first} ${second}`);
  }
  write(join(work, 'drawn', 'words'), `${language}.txt`, [...words]);
  write(join(work, 'drawn', 'pairs'), `${language}.txt`, pairs);
}

function write(folder: string, name: string, lines: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
}
