export const BINS = 10;

/** Answers whose score lies within one tenth. */
export interface Bin {
  answers: number;
  right: number;
  /** Of the scores, for their mean. */
  sum: number;
}

export type Bins = readonly Bin[];

export const emptyBins = (): Bins => Array.from({ length: BINS }, () => ({ answers: 0, right: 0, sum: 0 }));

export function count(bins: Bins, score: number, isRight: boolean): void {
  const bin = bins[Math.min(BINS - 1, Math.max(0, Math.floor(score * BINS)))]!;
  bin.answers += 1;
  bin.right += isRight ? 1 : 0;
  bin.sum += score;
}

export function sumOfBins(all: readonly Bins[]): Bins {
  return emptyBins().map((_, at) =>
    all.reduce(
      (sum, bins) => {
        const { answers, right, sum: scores } = bins[at]!;
        return { answers: sum.answers + answers, right: sum.right + right, sum: sum.sum + scores };
      },
      { answers: 0, right: 0, sum: 0 },
    ),
  );
}

/**
 * By how much the mean score of a bin and the share of right answers in it differ, averaged over the answers: 0.05 means that scores
 * promise 5 points too much or too little.
 */
export function calibrationError(bins: Bins): number {
  const answers = bins.reduce((sum, bin) => sum + bin.answers, 0);
  if (answers === 0) return Number.NaN;
  return bins.reduce((sum, bin) => sum + Math.abs(bin.right - bin.sum), 0) / answers;
}
