import { StoreError } from '../errors.ts';
import type { Collection, Filter } from '../types.ts';
import { storable } from '../values.ts';
import { partLetter, scopeCode } from './indexed.ts';
import { wordsOf } from './words.ts';

export type Matches = Extract<Filter, { op: 'matches' }>;

/** What a `matches` asks for, in the words of the index: these words one after another in any one of the parts. */
export interface Phrase {
  /** The code of the scope; empty where the collection has none. */
  readonly scope: string;
  /** The letters of the parts. */
  readonly parts: readonly string[];
  /** Without the letter of a part. None where the phrase has no word: no document has it then. */
  readonly words: readonly string[];
  /** The last word may go on. */
  readonly prefix: boolean;
}

/** Longer ones come from no user, and cost more than they find. */
const MOST_WORDS = 200;

/** Throws where the filter does not fit the collection. */
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
