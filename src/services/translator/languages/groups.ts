import { languageOf } from './facts.ts';
import { type Naming, namingIn, scriptNamesOf } from './naming.ts';
import { type Language, TRANSLATED } from './table.ts';
import { RIGHT_TO_LEFT_SCRIPTS, type Script, TRANSLITERATIONS } from './transliterations.ts';

/** Groups of the languages operation by scope, with names in one language. */
export const GROUPS = {
  translation: (naming: Naming) => byCode(TRANSLATED, (language) => described(language, naming)),
  transliteration: (naming: Naming) =>
    Object.fromEntries(TRANSLITERATIONS.map(({ code, scripts }) => [code, transliterated(code, scripts, naming)])),
  dictionary: (naming: Naming) =>
    byCode(WITH_DICTIONARY, (language) => ({
      ...described(language, naming),
      translations: targetsOf(language).map((target) => ({ ...described(target, naming), code: target.code })),
    })),
};

export type Scope = keyof typeof GROUPS;

export const SCOPES = Object.keys(GROUPS) as readonly Scope[];

export function groupsIn(locale: string, scopes: readonly Scope[]) {
  const naming = namingIn(locale);
  return Object.fromEntries(scopes.map((scope) => [scope, GROUPS[scope](naming)]));
}

const WITH_DICTIONARY = TRANSLATED.filter(({ dictionary }) => dictionary);
const ENGLISH_CODE = 'en';

/** All dictionaries are from or to English. */
const targetsOf = ({ code }: Language): readonly Language[] =>
  WITH_DICTIONARY.filter((other) => (other.code === ENGLISH_CODE) !== (code === ENGLISH_CODE));

const byCode = <T>(languages: readonly Language[], of: (language: Language) => T): Record<string, T> =>
  Object.fromEntries(languages.map((language) => [language.code, of(language)]));

const direction = (isRightToLeft: boolean | undefined) => (isRightToLeft ? 'rtl' : 'ltr');

const described = (language: Language, naming: Naming) => ({
  name: naming.language(language),
  nativeName: language.nativeName,
  dir: direction(language.rightToLeft),
});

function transliterated(
  code: string,
  scripts: readonly (readonly [from: Script, to: readonly Script[]])[],
  naming: Naming,
) {
  const language = languageOf(code);
  const ownName = scriptNamesOf(language);
  const written = (script: Script) => ({
    code: script,
    name: naming.script(script),
    nativeName: ownName(script),
    dir: direction(RIGHT_TO_LEFT_SCRIPTS.has(script)),
  });
  return {
    name: naming.language(language),
    nativeName: language.nativeName,
    scripts: scripts.map(([from, to]) => ({ ...written(from), toScripts: to.map(written) })),
  };
}
