import type { Comparison, Target } from './case.ts';

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/**
 * The ratio of each round. If the machine is slower for a while, both halves of a round are affected, so the median of these ratios is
 * steadier than the ratio of the medians.
 */
export function roundRatios({ baseline, subject }: Pick<Comparison, 'baseline' | 'subject'>): number[] {
  return subject.values.map((value, round) => value / (baseline.values[round] ?? Number.NaN));
}

export function ratioOf(comparison: Pick<Comparison, 'baseline' | 'subject'>): number {
  return median(roundRatios(comparison));
}

export function isMet(ratio: number, target: Target): boolean {
  return 'atMost' in target ? ratio <= target.atMost : ratio >= target.atLeast;
}
