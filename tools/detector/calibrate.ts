import { readFileSync, writeFileSync } from 'node:fs';
import { type Header, readModel } from '../../src/services/translator/detector/model.ts';
import { trustIn } from '../../src/services/translator/detector/ranking.ts';
import { WordReader } from '../../src/services/translator/detector/reader.ts';
import { WRITING_SYSTEMS } from '../../src/services/translator/detector/scripts.ts';
import { createWeigher, type Evidence } from '../../src/services/translator/detector/weigher.ts';
import { LANGUAGES, LANGUAGES_OF_SYSTEM } from './languages.ts';
import { commonVoiceLines, isCommon, splitLines } from './pools.ts';
import { seededRandom } from './random.ts';

// Usage: node tools/detector/calibrate.ts <weights> <Common Voice folder> <calibration.json>
const [weights = '', commonVoice = '', out = ''] = process.argv.slice(2);

/**
 * For each writing system, the confidence in the evidence of texts of 2, 4, 8 … letters: the factors under which the tuning texts are most
 * likely. They are optimised one after the other in small steps up and down.
 */
const KNOTS = 9;
/** If nearly all texts are classified correctly, any factor fits; these bounds keep it plausible. */
const SMALLEST_FACTOR = 0.4;
const LARGEST_FACTOR = 2;

interface Sample {
  readonly scores: Float64Array;
  readonly truth: number;
  readonly letters: number;
  readonly weight: number;
}

const model = await readModel(readFileSync(weights));
const trust: Record<string, number[]> = {};
for (const system of model.header.systems) {
  const samples = collect(system.name, system.languages, system.scale);
  trust[system.name] =
    samples.length < 200 ? Array.from({ length: KNOTS }, () => 0.7) : fitFactors(samples, system.priors);
  console.log(
    system.name,
    samples.length,
    (trust[system.name] as number[]).map((factor) => factor.toFixed(2)).join(' '),
  );
}
writeFileSync(out, JSON.stringify(trust satisfies Header['trust']));

function collect(name: string, languages: readonly string[], scale: number): Sample[] {
  const weigh = createWeigher(model);
  const reader = new WordReader(4096);
  const number = WRITING_SYSTEMS.findIndex((candidate) => candidate.name === name);
  const random = seededRandom(5);
  const samples: Sample[] = [];
  for (const language of LANGUAGES_OF_SYSTEM[name] ?? []) {
    const truth = languages.indexOf(language);
    if (!LANGUAGES.includes(language) || truth < 0) continue;
    const lines = commonVoiceLines(commonVoice, language).flatMap((all) => splitLines(all).tuning);
    for (const line of lines) {
      const words = line.split(/\s+/);
      for (const length of [1, 2, 4, words.length]) {
        const first = Math.floor(random() * Math.max(1, words.length - length + 1));
        const text =
          name === 'Hani' ? line.slice(first, first + length * 2) : words.slice(first, first + length).join(' ');
        reader.read(text);
        const own = weigh(reader, 0, reader.words)[number] as Evidence;
        if (own.weighed === 0) continue;
        const rare = isCommon(language) ? 1 : length > 3 ? 1 : 0.3;
        samples.push({
          scores: Float64Array.from(own.scores, (score) => score * scale),
          truth,
          letters: own.weighed,
          weight: rare,
        });
      }
    }
  }
  return samples;
}

function fitFactors(samples: readonly Sample[], priors: readonly number[]): number[] {
  const factors = Array.from({ length: KNOTS }, () => 0.6);
  const loss = (): number => {
    let sum = 0;
    for (const { scores, truth, letters, weight } of samples) {
      const factor = trustIn(factors, letters);
      let highest = Number.NEGATIVE_INFINITY;
      for (let index = 0; index < scores.length; index += 1)
        highest = Math.max(highest, (scores[index] as number) * factor + (priors[index] as number));
      let total = 0;
      for (let index = 0; index < scores.length; index += 1)
        total += Math.exp((scores[index] as number) * factor + (priors[index] as number) - highest);
      // The loss of one sample is capped, because a mislabelled sentence would otherwise cost without bound.
      sum +=
        weight *
        Math.min(6, Math.log(total) - (scores[truth] as number) * factor - (priors[truth] as number) + highest);
    }
    return sum;
  };
  let best = loss();
  for (let step = 1.5; step > 1.02; step = Math.sqrt(step)) {
    for (let round = 0; round < 3; round += 1) {
      for (let knot = 0; knot < KNOTS; knot += 1) {
        for (const change of [step, 1 / step]) {
          const before = factors[knot] as number;
          factors[knot] = Math.min(LARGEST_FACTOR, Math.max(SMALLEST_FACTOR, before * change));
          const changed = loss();
          if (changed < best) best = changed;
          else factors[knot] = before;
        }
      }
    }
  }
  return factors;
}
