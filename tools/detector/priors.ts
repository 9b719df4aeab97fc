import { isCommon } from './pools.ts';

/** Varieties of a language: its standard form is assumed unless the evidence for the variety is strong. */
const VARIETIES = new Set(['fr-ca', 'pt-pt', 'prs']);

/**
 * English is the most common language. Text that is identical in all forms of Chinese is mostly simplified Chinese and hardly ever
 * classical. Bosnian, Catalan, Galician, Malay and Serbian in Latin letters are confused with larger languages, but are not rare.
 */
const OWN_PRIORS: Readonly<Record<string, number>> = {
  bs: -0.2,
  ca: -0.3,
  en: 0.3,
  gl: -1.2,
  lzh: -4,
  ms: -0.3,
  'sr-Latn': -0.75,
  yue: -1.4,
  'zh-Hant': -0.4,
};

/** Languages that are rarely written, or rarely on a computer. */
const RARELY_WRITTEN = new Set('bem ee ff ikt iu-Latn nd om otq shi tlh-Latn wo yua'.split(' '));

/**
 * The prior: a rare language is less likely before the text is read. Added once per text, to the logits, so that a sentence outweighs it
 * and a single word may not.
 */
export function priorOf(language: string): number {
  const own = OWN_PRIORS[language];
  if (own !== undefined) return own;
  if (VARIETIES.has(language) || RARELY_WRITTEN.has(language)) return -3;
  return isCommon(language) ? 0 : -2.3;
}
