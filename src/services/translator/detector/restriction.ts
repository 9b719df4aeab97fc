import type { SystemHeader } from './model.ts';
import type { Detection } from './types.ts';

/** What is answered where only some of the languages are allowed, and the text is in none of those. */

/**
 * How sure an answer is at most where the text is certainly in a language that is not allowed: more than nothing, since some language
 * has to be named, and less than what any text in an allowed language gets.
 */
export const NEAREST_CERTAINTY = 0.05;

/** The least score of a language that was named: on the wire, with two decimals, it must not look like no language at all. */
export const LEAST_SCORE = 0.01;

/** Varieties that are reported as their language where they themselves are not allowed as an answer. */
const VARIETY_OF: Readonly<Record<string, string>> = { 'fr-ca': 'fr', 'pt-pt': 'pt', 'mn-Mong': 'mn-Cyrl' };

/**
 * Languages to name for letters that belong to one language alone, where that one is not allowed. Mongolian is the same language in
 * Cyrillic letters, Manipuri is also written in Bengali ones. Nothing is written like Tifinagh and Adlam: Arabic is the neighbour
 * of Tachelhit, Hausa that of Fulah.
 */
const NEAREST_OF_SCRIPT: Readonly<Record<string, string>> = { Mong: 'mn-Cyrl', Mtei: 'bn', Tfng: 'ar', Adlm: 'ha' };

/** What is named where nothing is near. */
const ELSE = 'en';

/** For each language of a writing system the allowed one by which it is reported, if there is one. */
export function answersOf({ languages }: SystemHeader, allowed: ReadonlySet<string>): readonly (string | undefined)[] {
  return languages.map((language) =>
    [language, VARIETY_OF[language]].find((answer) => answer !== undefined && allowed.has(answer)),
  );
}

/** The allowed language to name for letters none of whose languages is allowed; nothing where no language is. */
export function nearestOfScript(name: string, allowed: ReadonlySet<string>): string | undefined {
  const nearest = NEAREST_OF_SCRIPT[name];
  if (nearest !== undefined && allowed.has(nearest)) return nearest;
  return allowed.has(ELSE) ? ELSE : [...allowed].sort()[0];
}

/** The answer for letters that belong to no writing system which the detector knows. */
export function unknownWriting(allowed: ReadonlySet<string>): Detection {
  const language = nearestOfScript('', allowed);
  return language === undefined
    ? { language: ELSE, score: 0, alternatives: [] }
    : { language, score: LEAST_SCORE, alternatives: [] };
}
