import type { Header, SystemHeader } from './model.ts';
import { answersOf, LEAST_SCORE, NEAREST_CERTAINTY, nearestOfScript } from './restriction.ts';
import { WRITING_SYSTEMS, type WritingSystem } from './scripts.ts';
import type { Candidate, Detection } from './types.ts';
import type { Evidence } from './weigher.ts';

/** Answer for a text without letters, as in the real service. */
const NOTHING: Detection = { language: 'en', score: 0, alternatives: [] };

const MOST_ALTERNATIVES = 2;
/** Alternatives below this share are not reported. */
const LEAST_SHARE = 0.1;
/** A language whose evidence is weaker by this much gets no share: less than a hundredth of a percent. */
const FARTHEST = -10;
/** Smaller shares are ignored. */
const SMALLEST_SHARE = 0.001;
const weights = new Float64Array(256);

/** Turns the evidence from the parts of a text into languages with shares that add up to at most one. */
export interface Ranking {
  /** Starts a new text; `allowed` restricts the answers. */
  begin(allowed?: ReadonlySet<string>): void;
  /** Adds the evidence of one part, weighted by its letters. */
  add(evidence: readonly Evidence[]): void;
  answer(): Detection;
}

export function createRanking({ systems, trust }: Header): Ranking {
  const headers = WRITING_SYSTEMS.map(({ name }) => systems.find((system) => system.name === name));
  let allowed: ReadonlySet<string> | undefined;
  let answers = new Map<SystemHeader, readonly (string | undefined)[]>();
  let candidates: Share[] = [];
  let total = 0;

  const addSystem = (header: SystemHeader, { weighed, scores }: Evidence, part: number): void => {
    const factor = trustIn(trust[header.name] ?? [1], weighed) * header.scale;
    if (allowed === undefined) addShares(header, factor, scores, part, candidates);
    else if (!addOffered(header, answers.get(header) ?? [], factor, scores, part, candidates))
      addNearest(header.name, part);
  };

  const addLetters = (name: string, language: string, letters: number, part: number): void => {
    if (allowed === undefined || allowed.has(language))
      addShare(language, part * certaintyOfScript(letters), candidates);
    else addNearest(name, part);
  };

  /** No language of these letters is allowed: the nearest allowed language is named instead. */
  const addNearest = (name: string, part: number): void => {
    const nearest = nearestOfScript(name, allowed as ReadonlySet<string>);
    if (nearest !== undefined) addShare(nearest, part * NEAREST_CERTAINTY, candidates);
  };

  return {
    begin(restriction) {
      // Cached, because the set is usually the same for every text.
      if (restriction !== undefined && restriction !== allowed)
        answers = new Map(systems.map((system) => [system, answersOf(system, restriction)]));
      allowed = restriction;
      candidates = [];
      total = 0;
    },
    add(evidence) {
      for (let index = 0; index < evidence.length; index += 1) {
        const own = evidence[index] as Evidence;
        if (own.letters === 0) continue;
        const { name, only, worth = 1 } = WRITING_SYSTEMS[index] as WritingSystem;
        const part = own.letters * worth;
        total += part;
        const header = headers[index];
        if (header !== undefined) addSystem(header, own, part);
        else if (only !== undefined) addLetters(name, only, own.letters, part);
      }
    },
    answer() {
      if (total === 0) return NOTHING;
      const answer = best(candidates, total);
      return allowed === undefined || answer === NOTHING
        ? answer
        : { ...answer, score: Math.max(LEAST_SCORE, answer.score) };
    },
  };
}

interface Share {
  readonly language: string;
  score: number;
}

/** Certainty of a language that is the only one of its writing system, by the number of letters. */
function certaintyOfScript(letters: number): number {
  return letters >= 3 ? 1 : letters === 2 ? 0.95 : 0.85;
}

function addShares(system: SystemHeader, factor: number, scores: Int32Array, part: number, into: Share[]): void {
  const { priors, languages } = system;
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

/**
 * Adds shares when only some languages are allowed. The certainty of the first language is its share among the allowed ones, times the
 * probability that the text is in any of them. This has a lower bound above zero, so that the nearest language is named even for a text
 * that is clearly in another one. Returns false if no language of the system is allowed.
 */
function addOffered(
  { priors }: SystemHeader,
  answers: readonly (string | undefined)[],
  factor: number,
  scores: Int32Array,
  part: number,
  into: Share[],
): boolean {
  let highest = Number.NEGATIVE_INFINITY;
  let highestOffered = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < scores.length; index += 1) {
    const logit = (scores[index] as number) * factor + (priors[index] as number);
    weights[index] = logit;
    highest = Math.max(highest, logit);
    if (answers[index] !== undefined) highestOffered = Math.max(highestOffered, logit);
  }
  if (highestOffered === Number.NEGATIVE_INFINITY) return false;
  let sum = 0;
  let sumOffered = 0;
  for (let index = 0; index < scores.length; index += 1) {
    const logit = weights[index] as number;
    sum += Math.exp(logit - highest);
    if (answers[index] !== undefined) sumOffered += Math.exp(logit - highestOffered);
  }
  const offered = Math.min(1, (sumOffered * Math.exp(highestOffered - highest)) / sum);
  const certainty = NEAREST_CERTAINTY + (1 - NEAREST_CERTAINTY) * offered;
  for (let index = 0; index < scores.length; index += 1) {
    const answer = answers[index];
    if (answer === undefined) continue;
    const share = Math.exp((weights[index] as number) - highestOffered) / sumOffered;
    if (share > SMALLEST_SHARE) addShare(answer, part * certainty * share, into);
  }
  return true;
}

/** Adds up the shares of a language that is written in two systems. */
function addShare(language: string, score: number, into: Share[]): void {
  const known = into.find((candidate) => candidate.language === language);
  if (known === undefined) into.push({ language, score });
  else known.score += score;
}

/** Neighbouring letters repeat evidence, so the evidence of long texts is worth less than its sum. */
export function trustIn(byLength: readonly number[], letters: number): number {
  const place = Math.min(byLength.length - 1, Math.max(0, Math.log2(Math.max(1, letters)) - 1));
  const below = Math.floor(place);
  const low = byLength[below] as number;
  const high = byLength[Math.min(byLength.length - 1, below + 1)] as number;
  return low + (high - low) * (place - below);
}

/** The candidate with the largest share of the total, and its alternatives. */
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
