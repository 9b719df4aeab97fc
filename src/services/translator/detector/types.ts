/** One language the detector considers, with the probability it gives to it. */
export interface Candidate {
  /** Code of the language as the API writes it, such as `zh-Hans`. */
  readonly language: string;
  /** Calibrated: of the answers given with 0.9, about nine in ten are right. */
  readonly score: number;
}

export interface Detection extends Candidate {
  /** Honest runners-up, best first; empty when there is no other candidate worth a mention. */
  readonly alternatives: readonly Candidate[];
}

export interface Detector {
  /** Codes of all languages that this detector tells apart. */
  readonly languages: readonly string[];
  /**
   * The language of a text. `allowed` restricts the answers: a text in another language gets the nearest one that is allowed, with a score
   * near zero.
   */
  detect(text: string, allowed?: ReadonlySet<string>): Detection;
}
