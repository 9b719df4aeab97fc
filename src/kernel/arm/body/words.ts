import { Type } from 'typebox';
import { type Field, type PresenceOf, TEXT } from './field.ts';
import { complain, type LeafOptions, wrongType } from './leaves.ts';
import type { Place } from './place.ts';

export interface WordOptions<Context, Word extends string> extends LeafOptions<Context, Word> {
  /** Ignores blanks: `SystemAssigned,UserAssigned` equals `SystemAssigned, UserAssigned`. */
  readonly ignoreBlanks?: boolean;
  /** Kept as sent, because clients compare the value in that case. */
  readonly asSent?: boolean;
}

/** One of a list of words, in any case; stored in the case of the list. */
export function word<Context, const Word extends string, const O extends WordOptions<Context, Word>>(
  words: readonly Word[],
  options: O,
): Field<Word, Word, Context, PresenceOf<O>> {
  const { ignoreBlanks = false, asSent = false, wrong, check } = options;
  return {
    options,
    shape: TEXT,
    schema: () => Type.String({ description: words.join(', '), examples: [...words] }),
    read(given, at) {
      if (typeof given !== 'string') return wrongType(at, { type: 'string' });
      const known = wordsAt(at, words);
      const found = known.find(given, ignoreBlanks);
      if (found === undefined) complain(at, 'word', { type: 'string', words: known.written }, wrong);
      else check?.(found, at);
      // An unknown word is kept as sent for rules about several fields; no value is produced while there are mistakes.
      return found === undefined || asSent ? (given as Word) : found;
    },
  };
}

interface WordsAt<Word extends string> {
  /** Spelled as clients write them. */
  readonly written: readonly string[];
  find(given: string, ignoreBlanks?: boolean): Word | undefined;
}

/** The words that the request's api-version allows at a place. */
export function wordsAt<Word extends string>(at: Place, words: readonly Word[]): WordsAt<Word> {
  const spelled = at.reading.rules?.spelledWords(at.field, words);
  if (!spelled) return { written: words, find: (given, ignoreBlanks) => findWord(words, given, ignoreBlanks) };
  const written = [...spelled.keys()];
  return {
    written,
    find: (given, ignoreBlanks) => spelled.get(findWord(written, given, ignoreBlanks) ?? ''),
  };
}

/** The word of a list that equals a text in any case. */
export function findWord<Word extends string>(
  words: readonly Word[],
  given: string,
  ignoreBlanks = false,
): Word | undefined {
  const folded = (text: string): string => (ignoreBlanks ? text.replaceAll(' ', '') : text).toLowerCase();
  const wanted = folded(given);
  return words.find((each) => folded(each) === wanted);
}
