import type { FeatureTable } from './features.ts';
import { isCommon, type Letters } from './pools.ts';
import { priorOf } from './priors.ts';
import { gatherRows, type Matrix } from './softmax.ts';
import type { TuningText } from './tuning-texts.ts';

const WORST = 14;
const CONFUSIONS = 24;

/** Prints the accuracy on texts that training never sees: by kind of text, over all languages and over the common ones. */
export function report(
  stage: string,
  languages: readonly string[],
  texts: readonly TuningText[],
  letters: Letters,
  rows: FeatureTable,
  matrix: Matrix,
): void {
  const kinds = new Map<string, Map<string, { right: number; all: number }>>();
  const confusions = new Map<string, number>();
  const active = new Int32Array(1 << 16);
  for (const text of texts) {
    const answer = languages[bestColumn(languages, text, letters, rows, matrix, active)] as string;
    const truth = languages[text.language] as string;
    const tallies = kinds.get(text.kind) ?? new Map<string, { right: number; all: number }>();
    kinds.set(text.kind, tallies);
    const tally = tallies.get(truth) ?? { right: 0, all: 0 };
    tallies.set(truth, tally);
    tally.all += 1;
    if (answer === truth) tally.right += 1;
    else
      confusions.set(`${text.kind} ${truth}>${answer}`, (confusions.get(`${text.kind} ${truth}>${answer}`) ?? 0) + 1);
  }
  for (const [kind, tallies] of kinds) {
    const rates = [...tallies].map(([language, { right, all }]) => ({ language, rate: (100 * right) / all }));
    const worst = rates.toSorted((one, other) => one.rate - other.rate).slice(0, WORST);
    console.log(
      `${stage}, ${kind}: all ${mean(rates)}, common ${mean(rates.filter(({ language }) => isCommon(language)))}; worst ${worst.map(({ language, rate }) => `${language} ${rate.toFixed(0)}`).join(' ')}`,
    );
  }
  const most = [...confusions].sort((one, other) => other[1] - one[1]).slice(0, CONFUSIONS);
  console.log(most.map(([name, count]) => `${name} ${count}`).join(', '));
}

function bestColumn(
  languages: readonly string[],
  text: TuningText,
  letters: Letters,
  rows: FeatureTable,
  { weights, columns }: Matrix,
  active: Int32Array,
): number {
  const size = gatherRows(letters, rows, text.words, text.words.length, active);
  const scores = Float64Array.from(languages, priorOf);
  for (let index = 0; index < size; index += 1) {
    const row = (active[index] as number) * columns;
    for (let column = 0; column < columns; column += 1)
      scores[column] = (scores[column] as number) + (weights[row + column] as number);
  }
  return scores.indexOf(Math.max(...scores));
}

function mean(rates: readonly { readonly rate: number }[]): string {
  return (rates.reduce((sum, { rate }) => sum + rate, 0) / Math.max(1, rates.length)).toFixed(2);
}
