export const BINS = 10;

/** The answers whose score is in one tenth of the range. */
export interface Bin {
  answers: number;
  right: number;
  /** Sum of the scores, for their mean. */
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
 * The difference between a bin's mean score and its share of correct answers, averaged over the answers: 0.05 means that scores are 5
 * points too high or too low.
 */
export function calibrationError(bins: Bins): number {
  const answers = bins.reduce((sum, bin) => sum + bin.answers, 0);
  if (answers === 0) return Number.NaN;
  return bins.reduce((sum, bin) => sum + Math.abs(bin.right - bin.sum), 0) / answers;
}
