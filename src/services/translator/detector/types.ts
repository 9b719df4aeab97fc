/** A possible language with its probability. */
export interface Candidate {
  /** Language code as in the API, for example `zh-Hans`. */
  readonly language: string;
  /** Calibrated: about nine in ten answers with 0.9 are right. */
  readonly score: number;
}

export interface Detection extends Candidate {
  /** Best first; empty if no other candidate is likely enough. */
  readonly alternatives: readonly Candidate[];
}

export interface Detector {
  /** Codes of all languages that this detector distinguishes. */
  readonly languages: readonly string[];
  /**
   * Detects the language of a text. `allowed` restricts the answers: a text in another language gets the nearest allowed one, with a score
   * near zero.
   */
  detect(text: string, allowed?: ReadonlySet<string>): Detection;
}
