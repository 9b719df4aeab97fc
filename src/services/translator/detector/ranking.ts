import type { Header, SystemHeader } from './model.ts';
import { answersOf, LEAST_SCORE, NEAREST_CERTAINTY, nearestOfScript } from './restriction.ts';
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

/** Turns what the letters of the parts of a text said into languages with shares that add up to one at most. */
export interface Ranking {
  /** A new text; `allowed` restricts the answers. */
  begin(allowed?: ReadonlySet<string>): void;
  /** What a part of it said; it counts by its letters. */
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

  /** Letters none of whose languages is allowed: another language has to be named all the same. */
  const addNearest = (name: string, part: number): void => {
    const nearest = nearestOfScript(name, allowed as ReadonlySet<string>);
    if (nearest !== undefined) addShare(nearest, part * NEAREST_CERTAINTY, candidates);
  };

  return {
    begin(restriction) {
      // The set is the same from text to text.
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

/** How sure a text of so many letters makes one of a writing system that has only one language. */
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
 * The same among the languages that are allowed. How sure the first of them is: its share of what the allowed ones have together, times how
 * likely the text is in any of them. That falls to a floor rather than to nothing, so that the nearest language is named even for a text
 * that is clearly in another one. Answers false where no language of the system is allowed.
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
