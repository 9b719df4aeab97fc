import { type Bins, count, emptyBins } from './calibration.ts';
import type { LoadedDetector } from './detectors/detector.ts';
import { KINDS, type Kind, type LanguageTexts } from './texts.ts';

/** Results for the texts of one kind and one language. */
export interface LanguageTally {
  /** The name of the file of texts. */
  readonly name: string;
  /** The correct answers. */
  readonly labels: readonly string[];
  readonly texts: number;
  readonly right: number;
  /** Number of answers per code of the detector; '' is no answer. */
  readonly answers: Readonly<Record<string, number>>;
  /** Undefined if the detector reports no scores. */
  readonly bins?: Bins;
}

export type Tally = Readonly<Record<Kind, readonly LanguageTally[]>>;

/** Runs a detector on every text. */
export function tallyOf(detector: LoadedDetector, languages: readonly LanguageTexts[]): Tally {
  const tallies = KINDS.map((kind) => [
    kind,
    languages
      .filter(({ texts }) => texts[kind].length > 0)
      .map((language) => tallyOfLanguage(detector, language, kind)),
  ]);
  return Object.fromEntries(tallies) as Tally;
}

function tallyOfLanguage(
  { detect, detectWithScore = detect }: LoadedDetector,
  { name, labels, texts }: LanguageTexts,
  kind: Kind,
): LanguageTally {
  const answers: Record<string, number> = {};
  const bins = emptyBins();
  let right = 0;
  let scored = 0;
  for (const text of texts[kind]) {
    const answer = detectWithScore(text);
    const isRight = answer?.labels.some((label) => labels.includes(label)) ?? false;
    const code = answer?.code ?? '';
    answers[code] = (answers[code] ?? 0) + 1;
    if (isRight) right += 1;
    if (answer?.score === undefined) continue;
    scored += 1;
    count(bins, answer.score, isRight);
  }
  return { name, labels, texts: texts[kind].length, right, answers, ...(scored > 0 && { bins }) };
}

/** The share of correct answers, averaged over languages with equal weight; NaN if there are none. */
export function macroAccuracy(
  tallies: readonly LanguageTally[],
  isRelevant: (tally: LanguageTally) => boolean = () => true,
): number {
  const relevant = tallies.filter(isRelevant);
  return relevant.reduce((sum, { right, texts }) => sum + right / texts, 0) / relevant.length;
}

/** True if a detector with these labels could answer texts of this language at all. */
export const isAmong =
  (labels: ReadonlySet<string>) =>
  (tally: Pick<LanguageTally, 'labels'>): boolean =>
    tally.labels.some((label) => labels.has(label));

/**
 * The same texts and answers, judged as if the labels of a group were one: a detector that answers `zh` for both forms of written Chinese
 * is compared fairly only with one that may confuse them.
 */
export function judgedByGroups(
  tallies: readonly LanguageTally[],
  groups: readonly (readonly string[])[],
): LanguageTally[] {
  return tallies.map((tally) => {
    const labels = [
      ...new Set([
        ...tally.labels,
        ...groups.filter((group) => group.some((label) => tally.labels.includes(label))).flat(),
      ]),
    ];
    const right = labels.reduce((sum, label) => sum + (tally.answers[label] ?? 0), 0);
    return { ...tally, labels, right };
  });
}

export interface Confusion {
  readonly name: string;
  readonly answer: string;
  /** Shares of that language's texts. */
  readonly shares: Readonly<Partial<Record<Kind, number>>>;
}

/** The most frequent wrong answers, by their shares of the language's texts, averaged over the kinds. */
export function confusionsOf(tally: Tally, meaning: (code: string) => readonly string[], most: number): Confusion[] {
  const found = new Map<string, Confusion & { shares: Partial<Record<Kind, number>> }>();
  for (const kind of KINDS) {
    for (const { name, labels, texts, answers } of tally[kind]) {
      for (const [answer, times] of Object.entries(answers)) {
        if (meaning(answer).some((label) => labels.includes(label))) continue;
        const key = `${name} ${answer}`;
        const confusion = found.get(key) ?? { name, answer, shares: {} };
        confusion.shares[kind] = times / texts;
        found.set(key, confusion);
      }
    }
  }
  const cost = ({ shares }: Confusion): number => KINDS.reduce((sum, kind) => sum + (shares[kind] ?? 0), 0);
  return [...found.values()].sort((one, other) => cost(other) - cost(one)).slice(0, most);
}
