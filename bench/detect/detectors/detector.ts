import { labelsOf } from '../labels.ts';

/** What a detector says of a text. */
export interface Answer {
  /** Our labels for which the answer stands: several where the detector does not tell them apart, none where it is no language of ours. */
  readonly labels: readonly string[];
  /** The detector's own code, as a confusion is shown by. */
  readonly code: string;
  /** The probability that it gives to its answer, where it gives one. */
  readonly score?: number;
}

/** A detector in memory. */
export interface LoadedDetector {
  /** The usual call of the package, as fast as it offers one: what the speed is measured by. */
  detect(text: string): Answer | undefined;
  /** With the probability, where asking for it takes another call. */
  detectWithScore?(text: string): Answer | undefined;
}

export interface Contender {
  /** As one names it behind `--only`. */
  readonly name: string;
  /** What is measured: the package, its version, its mode. */
  readonly title: string;
  /** Every code that it can answer with. */
  readonly codes: readonly string[];
  /** What its codes mean where they mean something else than the common table says. */
  readonly exceptions?: Readonly<Record<string, readonly string[]>>;
  /** Whether its scores are meant as probabilities. */
  readonly givesProbabilities: boolean;
  load(): Promise<LoadedDetector>;
}

/** What one of a contender's codes stands for. */
export function meaningOf({ exceptions }: Pick<Contender, 'exceptions'>, code: string): readonly string[] {
  return exceptions?.[code] ?? labelsOf(code);
}

/** Our labels that a contender can answer with, at the granularity it has. */
export function claimsOf(contender: Pick<Contender, 'codes' | 'exceptions'>): ReadonlySet<string> {
  return new Set(contender.codes.flatMap((code) => meaningOf(contender, code)));
}

/** Answers by code, made once for each. */
export function answersOf(contender: Pick<Contender, 'exceptions'>): (code: string, score?: number) => Answer {
  const known = new Map<string, Answer>();
  return (code, score) => {
    let answer = known.get(code);
    if (!answer) {
      answer = { code, labels: meaningOf(contender, code) };
      known.set(code, answer);
    }
    return score === undefined ? answer : { ...answer, score };
  };
}

/**
 * A package of bench/package.json, by a name that the type checker does not follow: a clone in which nobody has run the benchmarks
 * does not have it.
 */
export async function importPackage<Shape>(name: string): Promise<Shape> {
  const found = (await import(name)) as { default?: object };
  // A CommonJS package is its default export.
  return { ...found.default, ...found } as Shape;
}
