/** What a case hands back: one row of the table per comparison. */
export interface Comparison {
  readonly title: string;
  readonly unit: 'ms' | 'µs' | 'MB' | 'requests/s' | 'texts/s';
  readonly baseline: Series;
  readonly subject: Series;
  /** Of subject to baseline; absent where the figure only informs. */
  readonly target?: Target;
  /** What else a reader has to know to judge the figure. */
  readonly note?: string;
}

export interface Series {
  readonly name: string;
  /** One per round, in order: the rounds of both series took turns. */
  readonly values: readonly number[];
}

export type Target = { readonly atMost: number } | { readonly atLeast: number };

export interface CaseContext {
  /** Rounds, rows and seconds are cut down; good for seeing whether a case works, not for its figures. */
  readonly quick: boolean;
  /** A folder of the case's own, removed afterwards. */
  readonly folder: string;
  /** Progress, on stderr. */
  say(line: string): void;
}

export interface Case {
  readonly name: string;
  readonly summary: string;
  run(context: CaseContext): Promise<Comparison[]>;
}
