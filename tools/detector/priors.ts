import { isCommon } from './pools.ts';

/** Varieties of a language whose standard form is meant unless much speaks for the variety. */
const VARIETIES = new Set(['fr-ca', 'pt-pt', 'prs']);

/** What is known about a text before it is read: a language that is rarely met is less likely. Added once a text, to the logits. */
export function priorOf(language: string): number {
  if (VARIETIES.has(language)) return -3;
  return isCommon(language) ? 0 : -2;
}
