import { DETECTED_ONLY, type Language, TRANSLATED } from './table.ts';
import { TRANSLITERATIONS } from './transliterations.ts';

/** Scripts of a language: the usual one, and others that it can be written in. */
export function scriptsOf({ code, locale = code }: Language): ReadonlySet<string> {
  const usual = new Intl.Locale(locale).maximize().script;
  const written = TRANSLITERATIONS.find((each) => each.code === code)?.scripts.map(([from]) => from) ?? [];
  return new Set([...(usual === undefined ? [] : [usual]), ...written]);
}

let all: ReadonlySet<string> | undefined;

/** Every script of every language. */
export function knownScripts(): ReadonlySet<string> {
  all ??= new Set([...TRANSLATED, ...DETECTED_ONLY].flatMap((language) => [...scriptsOf(language)]));
  return all;
}
