import type { SystemHeader } from './model.ts';
import type { Detection } from './types.ts';

/** Answers for texts in languages that are not allowed. */

/**
 * Maximum certainty if the text is certainly in a language that is not allowed: above zero, since some language must be named, and below
 * that of any text in an allowed language.
 */
export const NEAREST_CERTAINTY = 0.05;

/** Minimum score of a named language: rounded to two decimals it must not be zero, which means no language. */
export const LEAST_SCORE = 0.01;

/** Varieties that are reported as their main language if they are not allowed themselves. */
const VARIETY_OF: Readonly<Record<string, string>> = { 'fr-ca': 'fr', 'pt-pt': 'pt', 'mn-Mong': 'mn-Cyrl' };

/**
 * Substitutes for scripts of a single language, if that language is not allowed. Mongolian is the same language in Cyrillic letters;
 * Manipuri is also written in Bengali letters. No related script exists for Tifinagh and Adlam: Arabic is the neighbour of Tachelhit, Hausa
 * of Fulah.
 */
const NEAREST_OF_SCRIPT: Readonly<Record<string, string>> = { Mong: 'mn-Cyrl', Mtei: 'bn', Tfng: 'ar', Adlm: 'ha' };

/** Substitute if no related language is allowed. */
const ELSE = 'en';

/** For each language of a writing system, the allowed language by which it is reported, or undefined. */
export function answersOf({ languages }: SystemHeader, allowed: ReadonlySet<string>): readonly (string | undefined)[] {
  return languages.map((language) =>
    [language, VARIETY_OF[language]].find((answer) => answer !== undefined && allowed.has(answer)),
  );
}

/** The allowed language to name for letters none of whose languages is allowed; undefined if no language is allowed. */
export function nearestOfScript(name: string, allowed: ReadonlySet<string>): string | undefined {
  const nearest = NEAREST_OF_SCRIPT[name];
  if (nearest !== undefined && allowed.has(nearest)) return nearest;
  return allowed.has(ELSE) ? ELSE : [...allowed].sort()[0];
}

/** Answer for letters of a writing system that the detector does not know. */
export function unknownWriting(allowed: ReadonlySet<string>): Detection {
  const language = nearestOfScript('', allowed);
  return language === undefined
    ? { language: ELSE, score: 0, alternatives: [] }
    : { language, score: LEAST_SCORE, alternatives: [] };
}
