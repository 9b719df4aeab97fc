import type { Header, SystemHeader } from './model.ts';
import { WRITING_SYSTEMS, type WritingSystem } from './scripts.ts';
import type { Candidate, Detection } from './types.ts';
import type { Evidence } from './weigher.ts';

/** The answer for a text without a single letter, as the real service gives it. */
const NOTHING: Detection = { language: 'en', score: 0, alternatives: [] };

const MOST_ALTERNATIVES = 2;
/** A runner-up below this share is not worth a mention. */
const LEAST_SHARE = 0.1;
/** A language whose evidence is weaker by this much has no share: less than a hundredth of a percent. */
const FARTHEST = -10;
/** Smaller shares matter to nobody. */
const SMALLEST_SHARE = 0.001;
const weights = new Float64Array(256);

/** Varieties that are reported as their language where they themselves are not allowed as an answer. */
const VARIETY_OF: Readonly<Record<string, string>> = { 'fr-ca': 'fr', 'pt-pt': 'pt' };

/** Turns what the letters of the parts of a text said into languages with shares that add up to one at most. */
export interface Ranking {
  /** A new text. */
  begin(): void;
  /** What a part of it said; it counts by its letters. */
  add(evidence: readonly Evidence[]): void;
  answer(allowed?: ReadonlySet<string>): Detection;
}

export function createRanking({ systems, trust }: Header): Ranking {
  const headers = WRITING_SYSTEMS.map(({ name }) => systems.find((system) => system.name === name));
  let candidates: Share[] = [];
  let total = 0;
  return {
    begin() {
      candidates = [];
      total = 0;
    },
    add(evidence) {
      for (let index = 0; index < evidence.length; index += 1) {
        const own = evidence[index] as Evidence;
        if (own.letters === 0) continue;
        const { only, worth = 1 } = WRITING_SYSTEMS[index] as WritingSystem;
        const part = own.letters * worth;
        total += part;
        const header = headers[index];
        if (header !== undefined)
          addShares(header, trustIn(trust[header.name] ?? [1], own.weighed), own.scores, part, candidates);
        else if (only !== undefined) addShare(only, part * certaintyOfScript(own.letters), candidates);
      }
    },
    answer(allowed) {
      if (total === 0) return NOTHING;
      return best(
        allowed === undefined ? candidates : permitted(candidates, allowed),
        allowed === undefined ? total : 1,
      );
    },
  };
}

interface Share {
  readonly language: string;
  score: number;
}

/** How sure a text of so many letters makes one of a writing system that has only one language. */
function certaintyOfScript(letters: number): number {
  return letters >= 3 ? 1 : letters === 2 ? 0.95 : 0.85;
}

function addShares(system: SystemHeader, trust: number, scores: Int32Array, part: number, into: Share[]): void {
  const { priors, languages } = system;
  const factor = trust * system.scale;
  let highest = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < scores.length; index += 1) {
    highest = Math.max(highest, (scores[index] as number) * factor + (priors[index] as number));
  }
  let sum = 0;
  for (let index = 0; index < scores.length; index += 1) {
    const distance = (scores[index] as number) * factor + (priors[index] as number) - highest;
    const weight = distance < FARTHEST ? 0 : Math.exp(distance);
    weights[index] = weight;
    sum += weight;
  }
  const least = SMALLEST_SHARE * sum;
  for (let index = 0; index < scores.length; index += 1) {
    const weight = weights[index] as number;
    if (weight > least) addShare(languages[index] as string, (part * weight) / sum, into);
  }
}

/** Some languages are written in two systems: their shares of both are one. */
function addShare(language: string, score: number, into: Share[]): void {
  const known = into.find((candidate) => candidate.language === language);
  if (known === undefined) into.push({ language, score });
  else known.score += score;
}

/** Neighbouring letters say the same thing twice, so the evidence of long texts is worth less than its sum. */
export function trustIn(byLength: readonly number[], letters: number): number {
  const place = Math.min(byLength.length - 1, Math.max(0, Math.log2(Math.max(1, letters)) - 1));
  const below = Math.floor(place);
  const low = byLength[below] as number;
  const high = byLength[Math.min(byLength.length - 1, below + 1)] as number;
  return low + (high - low) * (place - below);
}

/** The shares of the languages that are allowed, as parts of what they have together. */
function permitted(candidates: readonly Share[], allowed: ReadonlySet<string>): Share[] {
  const left: Share[] = [];
  for (const { language, score } of candidates) {
    const answer = allowed.has(language) ? language : VARIETY_OF[language];
    if (answer !== undefined && allowed.has(answer)) addShare(answer, score, left);
  }
  const sum = left.reduce((all, { score }) => all + score, 0);
  for (const candidate of left) candidate.score /= sum;
  return left;
}

/** The candidate with the largest share of the total, and who comes after it. */
function best(candidates: readonly Share[], total: number): Detection {
  let first: Candidate | undefined;
  for (const candidate of candidates) if (first === undefined || candidate.score > first.score) first = candidate;
  if (first === undefined) return NOTHING;
  const { language } = first;
  const others = candidates.filter(
    (candidate) => candidate.language !== language && candidate.score >= LEAST_SHARE * total,
  );
  if (others.length > 1) others.sort((one, other) => other.score - one.score);
  const shareOf = (candidate: Candidate): Candidate => ({
    language: candidate.language,
    score: Math.min(1, candidate.score / total),
  });
  return { ...shareOf(first), alternatives: others.slice(0, MOST_ALTERNATIVES).map(shareOf) };
}
