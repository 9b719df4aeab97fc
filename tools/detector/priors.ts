import { isCommon } from './pools.ts';

/** Varieties of a language whose standard form is meant unless much speaks for the variety. */
const VARIETIES = new Set(['fr-ca', 'pt-pt', 'prs']);

/** Languages that few write in, or write on a computer. */
const RARELY_WRITTEN = new Set('bem ee ff ikt iu-Latn nd om otq shi tlh-Latn wo yua'.split(' '));

/**
 * What is known about a text before it is read: a language that is rarely met is less likely. Added once a text, to the logits, so that
 * a sentence outweighs it and a single word may not.
 */
export function priorOf(language: string): number {
  if (VARIETIES.has(language) || RARELY_WRITTEN.has(language)) return -3;
  if (language === 'en') return 0.3;
  return isCommon(language) ? 0 : -2;
}
