/** Size of the model of each writing system: depends on the number of its languages and their similarity. */
export interface SystemPlan {
  /** Number of features in training. */
  readonly features: number;
  /** Number of words per language that are examined to choose them. */
  readonly words: number;
  /** Number of examples of the first training, and of the second one after pruning. */
  readonly examples: number;
  readonly refinements: number;
  /** Number of weights after pruning. */
  readonly weights: number;
}

export const PLAN: Readonly<Record<string, SystemPlan>> = {
  Latn: { features: 2_000_000, words: 250_000, examples: 8_000_000, refinements: 2_000_000, weights: 8_000_000 },
  Cyrl: { features: 400_000, words: 200_000, examples: 4_000_000, refinements: 1_000_000, weights: 1_000_000 },
  Arab: { features: 150_000, words: 150_000, examples: 2_000_000, refinements: 500_000, weights: 350_000 },
  Deva: { features: 150_000, words: 120_000, examples: 2_000_000, refinements: 500_000, weights: 350_000 },
  Hani: { features: 120_000, words: 120_000, examples: 1_500_000, refinements: 400_000, weights: 200_000 },
  Beng: { features: 20_000, words: 40_000, examples: 300_000, refinements: 100_000, weights: 30_000 },
  Hebr: { features: 20_000, words: 40_000, examples: 300_000, refinements: 100_000, weights: 30_000 },
  Ethi: { features: 20_000, words: 40_000, examples: 300_000, refinements: 100_000, weights: 30_000 },
  Tibt: { features: 20_000, words: 40_000, examples: 300_000, refinements: 100_000, weights: 30_000 },
};
