import { StoreError } from '../errors.ts';
import type { Collection, Filter } from '../types.ts';
import { storable } from '../values.ts';
import { partLetter, scopeCode } from './indexed.ts';
import { wordsOf } from './words.ts';

export type Matches = Extract<Filter, { op: 'matches' }>;

/** A `matches` filter in terms of the index: these words in sequence, in any of the parts. */
export interface Phrase {
  /** The code of the scope; empty if the collection has none. */
  readonly scope: string;
  /** Letters of the parts. */
  readonly parts: readonly string[];
  /** Without part letters. Empty if the phrase has no word; no document matches then. */
  readonly words: readonly string[];
  /** If true, the last word is a prefix. */
  readonly prefix: boolean;
}

/** Longer phrases do not come from users, and cost more than they find. */
const MOST_WORDS = 200;

/** Throws if the filter does not fit the collection. */
export function phraseOf({ name, search }: Collection<never>, filter: Matches): Phrase {
  if (!search) throw new StoreError('BAD_QUERY', `${name} declares no full text`);
  if ((filter.within === undefined) !== (search.within === undefined)) {
    const reason = search.within === undefined ? 'has no scope' : `is searched within one '${search.within}'`;
    throw new StoreError('BAD_QUERY', `the full text of ${name} ${reason}`);
  }
  const parts = [...new Set(filter.parts)].map((part) => {
    const index = search.parts.indexOf(part);
    if (index < 0) throw new StoreError('BAD_QUERY', `'${part}' is not a part of the full text of ${name}`);
    return partLetter(index);
  });
  const words = wordsOf(filter.phrase, MOST_WORDS + 1);
  if (words.length > MOST_WORDS)
    throw new StoreError('BAD_QUERY', `a phrase to search for has at most ${MOST_WORDS} words`);
  const scope = filter.within === undefined ? '' : scopeCode(storable(filter.within));
  return { scope, parts, words, prefix: filter.prefix === true };
}

export const findsNothing = ({ words, parts }: Phrase): boolean => words.length === 0 || parts.length === 0;
