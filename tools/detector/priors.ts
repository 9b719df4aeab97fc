import { isCommon } from './pools.ts';

/** Varieties of a language whose standard form is meant unless much speaks for the variety. */
const VARIETIES = new Set(['fr-ca', 'pt-pt', 'prs']);

/**
 * Much is written in English. Of what Chinese writes alike in all its forms, most is in the simplified one, and hardly any in the classical
 * language. Bosnian, Catalan, Galician, Malay and Serbian in Latin letters have larger neighbours, and are not rare.
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

/** Languages that few write in, or write on a computer. */
const RARELY_WRITTEN = new Set('bem ee ff ikt iu-Latn nd om otq shi tlh-Latn wo yua'.split(' '));

/**
 * What is known about a text before it is read: a language that is rarely met is less likely. Added once a text, to the logits, so that
 * a sentence outweighs it and a single word may not.
 */
export function priorOf(language: string): number {
  const own = OWN_PRIORS[language];
  if (own !== undefined) return own;
  if (VARIETIES.has(language) || RARELY_WRITTEN.has(language)) return -3;
  return isCommon(language) ? 0 : -2.3;
}
