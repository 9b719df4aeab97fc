import { median } from '../lib/statistics.ts';
import { BINS, calibrationError, sumOfBins } from './calibration.ts';
import { type Contender, claimsOf, meaningOf } from './detectors/detector.ts';
import { CONTENDERS } from './detectors/index.ts';
import { lingua } from './detectors/lingua.ts';
import { confusionsOf, isAmong, type LanguageTally, macroAccuracy } from './measured.ts';
import type { Measured } from './orders.ts';
import type { SpeedRatio } from './speed.ts';
import type { Table } from './table.ts';
import { KINDS } from './texts.ts';

const NO_FIGURE = '-';

export const contenderOf = ({ name }: Pick<Measured, 'name'>): Contender =>
  CONTENDERS.find((each) => each.name === name)!;

export const percent = (share: number): string => (Number.isNaN(share) ? NO_FIGURE : (share * 100).toFixed(1));

export function accuracyTable(all: readonly Measured[]): Table {
  const isLinguas = isAmong(claimsOf(lingua));
  return {
    title: 'Accuracy by kind of text',
    head: ['detector', 'claims', ...KINDS],
    rows: all.map((measured) => {
      const isClaimed = isAmong(claimsOf(contenderOf(measured)));
      const languages = new Map(KINDS.flatMap((kind) => measured.tally[kind].map((each) => [each.name, each])));
      const cells = KINDS.map((kind) => {
        const tallies = measured.tally[kind];
        return [isClaimed, isLinguas, undefined]
          .map((isRelevant) => percent(macroAccuracy(tallies, isRelevant)))
          .join(' / ');
      });
      const claimed = [...languages.values()].filter(isClaimed).length;
      return [contenderOf(measured).title, `${claimed} of ${languages.size}`, ...cells];
    }),
    note: 'Right answers in %, each language weighing the same: over the languages that the detector claims / over those that Lingua claims / over all. No answer is a wrong one; a wider code, such as zh or no, is right for each language that it stands for.',
  };
}

export function costTable(all: readonly Measured[]): Table {
  return {
    title: 'Speed, load and memory',
    head: ['detector', 'sentences/s', 'load in ms', 'memory in MB'],
    rows: all.map((measured) => [
      contenderOf(measured).title,
      Math.round(measured.perSecond).toLocaleString('en'),
      Math.round(measured.loadMs).toLocaleString('en'),
      Math.round(measured.memoryMb).toLocaleString('en'),
    ]),
    note: 'Each in a fresh process, one thread. Speed: warm, over a mix of sentences of all languages. Load: until the first answer. Memory: resident, after loading less before.',
  };
}

export function turnsTable(subject: string, baseline: string, { subject: ours, baseline: theirs }: SpeedRatio): Table {
  const ratios = ours.map((speed, round) => speed / theirs[round]!);
  const figures = (values: readonly number[], digits: number): string =>
    [median(values), Math.min(...values), Math.max(...values)]
      .map((value) => value.toLocaleString('en', { maximumFractionDigits: digits }))
      .join(' / ');
  return {
    title: `Sentences/s of ${subject} and ${baseline} in turns`,
    head: ['', 'median / lowest / highest'],
    rows: [
      [subject, figures(ours, 0)],
      [baseline, figures(theirs, 0)],
      ['ratio', figures(ratios, 2)],
    ],
    note: `In one process, the same texts, ${ratios.length} rounds; the ratio is that of each round.`,
  };
}

export const ratioOf = ({ subject, baseline }: SpeedRatio): number =>
  median(subject.map((speed, round) => speed / baseline[round]!));

const binsOf = (tallies: readonly LanguageTally[]) => sumOfBins(tallies.flatMap(({ bins }) => (bins ? [bins] : [])));

/** For the answers to all kinds of text, or to some kinds. */
export function calibrationErrorOf(
  { tally }: Pick<Measured, 'tally'>,
  kinds: readonly (typeof KINDS)[number][] = KINDS,
  isRelevant: (tally: LanguageTally) => boolean = () => true,
): number {
  return calibrationError(binsOf(kinds.flatMap((kind) => tally[kind].filter(isRelevant))));
}

export function calibrationTable(all: readonly Measured[]): Table {
  return {
    title: 'Expected calibration error',
    head: ['detector', ...KINDS, 'all kinds'],
    rows: all
      .filter((measured) => contenderOf(measured).givesProbabilities)
      .map((measured) => {
        const isClaimed = isAmong(claimsOf(contenderOf(measured)));
        const cells = [...KINDS.map((kind) => [kind]), KINDS].map((kinds) =>
          [isClaimed, undefined]
            .map((isRelevant) => percent(calibrationErrorOf(measured, kinds, isRelevant)))
            .join(' / '),
        );
        return [contenderOf(measured).title, ...cells];
      }),
    note: `In points, ${BINS} bins over the score of the answer: over the languages that the detector claims / over all. Only detectors whose scores are meant as probabilities.`,
  };
}

export function reliabilityTable(measured: Measured): Table {
  const bins = binsOf(KINDS.flatMap((kind) => measured.tally[kind]));
  return {
    title: `Reliability of ${contenderOf(measured).title}`,
    head: ['score', 'answers', 'mean score', 'right in %'],
    rows: bins.map(({ answers, right, sum }, at) => [
      `${(at / BINS).toFixed(1)} to ${((at + 1) / BINS).toFixed(1)}`,
      answers.toLocaleString('en'),
      answers === 0 ? NO_FIGURE : (sum / answers).toFixed(3),
      percent(right / answers),
    ]),
    note: 'Of all answers, to words, pairs and sentences. Scores keep what they promise where the last two columns say the same.',
  };
}

export function languageTable(all: readonly Measured[]): Table {
  const names = [...new Set(all.flatMap(({ tally }) => KINDS.flatMap((kind) => tally[kind].map(({ name }) => name))))];
  const find = ({ tally }: Measured, name: string) =>
    KINDS.map((kind) => tally[kind].find((each) => each.name === name));
  return {
    title: 'Accuracy by language',
    head: ['language', 'texts', ...all.map(({ name }) => name)],
    rows: names.sort().map((name) => {
      const texts = find(all[0]!, name).map((tally) => tally?.texts ?? 0);
      const cells = all.map((measured) => {
        const isClaimed = isAmong(claimsOf(contenderOf(measured)));
        const tallies = find(measured, name);
        if (!tallies.some((tally) => tally && isClaimed(tally))) return NO_FIGURE;
        return tallies.map((tally) => (tally ? Math.round((100 * tally.right) / tally.texts) : NO_FIGURE)).join('/');
      });
      return [name, texts.join('/'), ...cells];
    }),
    note: 'Right answers in %: words/pairs/sentences. A dash: the detector does not claim the language.',
  };
}

export function confusionTable(measured: Measured, most: number): Table {
  const contender = contenderOf(measured);
  return {
    title: `What ${contender.title} takes for something else`,
    head: ['language', 'answer', ...KINDS],
    rows: confusionsOf(measured.tally, (code) => meaningOf(contender, code), most).map(({ name, answer, shares }) => [
      name,
      answer === '' ? 'none' : answer,
      ...KINDS.map((kind) => (shares[kind] === undefined ? '' : percent(shares[kind]))),
    ]),
    note: `In % of the texts of the language; the ${most} pairs that cost most.`,
  };
}
