import { median } from '../lib/statistics.ts';
import type { LoadedDetector } from './detectors/detector.ts';

export interface SpeedPace {
  readonly warmUpMs: number;
  readonly rounds: number;
  readonly roundMs: number;
}

/** Texts per second of a warm detector in one thread: the median of several rounds. */
export function textsPerSecond(detector: LoadedDetector, texts: readonly string[], pace: SpeedPace): number {
  const next = endless(texts);
  run(detector, next, pace.warmUpMs);
  return median(Array.from({ length: pace.rounds }, () => run(detector, next, pace.roundMs)));
}

export interface SpeedRatio {
  readonly subject: readonly number[];
  readonly baseline: readonly number[];
}

/**
 * The speeds of two detectors that take turns in one process, over the same texts. If the machine is slow for a while, it is slow for both
 * halves of a round; the order changes from round to round.
 */
export function speedsInTurns(
  subject: LoadedDetector,
  baseline: LoadedDetector,
  texts: readonly string[],
  pace: SpeedPace,
): SpeedRatio {
  const sides = [subject, baseline].map((detector) => ({ detector, next: endless(texts), speeds: [] as number[] }));
  for (const { detector, next } of sides) run(detector, next, pace.warmUpMs);
  for (let round = 0; round < pace.rounds; round++) {
    const order = round % 2 === 0 ? sides : sides.toReversed();
    for (const { detector, next, speeds } of order) speeds.push(run(detector, next, pace.roundMs));
  }
  return { subject: sides[0]!.speeds, baseline: sides[1]!.speeds };
}

/** Number of texts between two readings of the clock. */
const STRIDE = 16;

function run({ detect }: LoadedDetector, next: () => string, ms: number): number {
  const began = performance.now();
  let done = 0;
  let took = 0;
  do {
    for (let each = 0; each < STRIDE; each++) detect(next());
    done += STRIDE;
    took = performance.now() - began;
  } while (took < ms);
  return done / (took / 1000);
}

function endless(texts: readonly string[]): () => string {
  let at = 0;
  return () => {
    const text = texts[at]!;
    at = at + 1 === texts.length ? 0 : at + 1;
    return text;
  };
}
