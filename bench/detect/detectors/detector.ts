import { labelsOf } from '../labels.ts';

export interface Answer {
  /**
   * Our labels that the answer corresponds to: several if the detector does not distinguish them, none if it is not one of our languages.
   */
  readonly labels: readonly string[];
  /** The detector's own code, for reporting confusions. */
  readonly code: string;
  /** The probability of the answer, if the detector reports one. */
  readonly score?: number;
}

/** A loaded detector. */
export interface LoadedDetector {
  /** The package's usual and fastest call, with which the speed is measured. */
  detect(text: string): Answer | undefined;
  /** The call that also returns the probability, if that is a different one. */
  detectWithScore?(text: string): Answer | undefined;
}

export interface Contender {
  /** Name for `--only`. */
  readonly name: string;
  /** The measured package, its version and its mode. */
  readonly title: string;
  /** All codes that it can return. */
  readonly codes: readonly string[];
  /** The meaning of codes that differs from the common table. */
  readonly exceptions?: Readonly<Record<string, readonly string[]>>;
  /** Whether its scores are probabilities. */
  readonly givesProbabilities: boolean;
  load(): Promise<LoadedDetector>;
}

/** Our labels for one of a contender's codes. */
export function meaningOf({ exceptions }: Pick<Contender, 'exceptions'>, code: string): readonly string[] {
  return exceptions?.[code] ?? labelsOf(code);
}

/** Our labels that a contender can answer with, at its own granularity. */
export function claimsOf(contender: Pick<Contender, 'codes' | 'exceptions'>): ReadonlySet<string> {
  return new Set(contender.codes.flatMap((code) => meaningOf(contender, code)));
}

/** Answers by code, each created once. */
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
 * Imports a package of bench/package.json by a name that the type checker does not follow, because a clone in which the benchmarks never
 * ran does not have it.
 */
export async function importPackage<Shape>(name: string): Promise<Shape> {
  const found = (await import(name)) as { default?: object };
  // A CommonJS package is its default export.
  return { ...found.default, ...found } as Shape;
}
