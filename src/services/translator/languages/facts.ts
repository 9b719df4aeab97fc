import { DETECTED_ONLY, type Language, TRANSLATED, TRANSLITERATED_ONLY } from './table.ts';
import { TRANSLITERATIONS } from './transliterations.ts';

const byCode: ReadonlyMap<string, Language> = new Map(
  [...TRANSLATED, ...DETECTED_ONLY, ...TRANSLITERATED_ONLY].map((language) => [language.code, language]),
);
const byLowerCode: ReadonlyMap<string, Language> = new Map(
  [...byCode].map(([code, language]) => [code.toLowerCase(), language]),
);
const translated: ReadonlySet<string> = new Set(TRANSLATED.map(({ code }) => code));
const transliterated: ReadonlySet<string> = new Set(TRANSLITERATIONS.map(({ code }) => code));

/** Codes that the real service returns as detected languages; the detector knows more. */
export const LIVE_DETECTABLE: ReadonlySet<string> = new Set(
  TRANSLATED.filter(({ neverDetected }) => !neverDetected).map(({ code }) => code),
);

export const isTranslated = (code: string): boolean => translated.has(code);

export const isTransliterated = (code: string): boolean => transliterated.has(code);

/** The language of a code, ignoring case, or undefined. */
export const findLanguage = (code: string): Language | undefined => byLowerCode.get(code.toLowerCase());

/** For codes from the tables of this service; throws for others. */
export function languageOf(code: string): Language {
  const language = byCode.get(code);
  if (!language) throw new Error(`no language has the code '${code}'`);
  return language;
}
