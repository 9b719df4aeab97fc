/** A result of a case: one row of the table. */
export interface Comparison {
  readonly title: string;
  readonly unit: 'ms' | 'µs' | 'MB' | 'requests/s' | 'texts/s';
  readonly baseline: Series;
  readonly subject: Series;
  /** Target for the ratio of subject to baseline; undefined if the figure is only informative. */
  readonly target?: Target;
  /** Further information for judging the figure. */
  readonly note?: string;
}

export interface Series {
  readonly name: string;
  /** One per round, in order: the rounds of both series alternate. */
  readonly values: readonly number[];
}

export type Target = { readonly atMost: number } | { readonly atLeast: number };

export interface CaseContext {
  /** Reduces rounds, rows and seconds, to check that a case works; the figures are not meaningful. */
  readonly quick: boolean;
  /** A folder for the case, removed afterwards. */
  readonly folder: string;
  /** Progress, on stderr. */
  say(line: string): void;
}

export interface Case {
  readonly name: string;
  readonly summary: string;
  run(context: CaseContext): Promise<Comparison[]>;
}
