import type { Language } from './table.ts';
import { SCRIPT_NAMES, type Script } from './transliterations.ts';

/** Language of names by default, and if no names exist in the requested language. */
export const ENGLISH = 'en';

/** Names of languages and scripts in one language. */
export interface Naming {
  language(language: Language): string;
  script(script: Script): string;
}

const IN_ENGLISH: Naming = { language: ({ name }) => name, script: (script) => SCRIPT_NAMES[script] };

/** English names are those of the real service; others are those of Unicode, or English ones if Unicode has none. */
export function namingIn(locale: string): Naming {
  if (locale === ENGLISH) return IN_ENGLISH;
  const languages = new Intl.DisplayNames(locale, { type: 'language', languageDisplay: 'standard', fallback: 'none' });
  return {
    language: (language) =>
      capitalised(languages.of(language.locale ?? language.code), locale) ?? IN_ENGLISH.language(language),
    script: scriptNamesIn(locale),
  };
}

function scriptNamesIn(locale: string): Naming['script'] {
  const scripts = new Intl.DisplayNames(locale, { type: 'script', fallback: 'none' });
  return (script) => capitalised(scripts.of(script), locale) ?? IN_ENGLISH.script(script);
}

const ownScriptNames = new Map<string, Naming['script']>();

/** Names of scripts in their own language. Cached, since they are slow to load. */
export function scriptNamesOf({ code, locale = code }: Language): Naming['script'] {
  let names = ownScriptNames.get(code);
  if (!names) {
    names = isKnown(locale) ? scriptNamesIn(locale) : IN_ENGLISH.script;
    ownScriptNames.set(code, names);
  }
  return names;
}

/** True if names exist in this language. Throws if the text is not a language tag. */
const isKnown = (tag: string): boolean => Intl.DisplayNames.supportedLocalesOf(tag).length > 0;

/**
 * Capitalised as in a list: many languages write their names in lower case within a sentence. Georgian has capitals, but not at the
 * beginning of words.
 */
function capitalised(name: string | undefined, locale: string): string | undefined {
  if (name === undefined || !/^(?!\p{Script=Georgian})\p{Ll}/u.test(name)) return name;
  const [first = ''] = name;
  return first.toLocaleUpperCase(locale) + name.slice(first.length);
}

/** Maximum number of header entries that are read. */
const MOST_PREFERENCES = 20;
const PREFERENCE = /^\s*([a-z0-9*-]{1,64})\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?$/i;

/** The client's preferred language by `Accept-Language`, among those that names exist in. */
export function preferredLocale(header: string | undefined): string {
  const preferences = (header ?? '').split(',', MOST_PREFERENCES).flatMap((entry) => {
    const [, tag, weight = '1'] = PREFERENCE.exec(entry) ?? [];
    return tag === undefined || Number(weight) === 0 ? [] : [{ tag, weight: Number(weight) }];
  });
  for (const { tag } of preferences.sort((a, b) => b.weight - a.weight)) {
    const locale = resolved(tag);
    if (locale !== undefined) return locale;
  }
  return ENGLISH;
}

function resolved(tag: string): string | undefined {
  if (tag === '*') return ENGLISH;
  try {
    if (!isKnown(tag)) return undefined;
    const { locale } = new Intl.DisplayNames(tag, { type: 'language' }).resolvedOptions();
    return locale.split('-', 1)[0] === ENGLISH ? ENGLISH : locale;
  } catch {
    // Not a language tag.
    return undefined;
  }
}
