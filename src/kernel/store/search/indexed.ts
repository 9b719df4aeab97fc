import { createHash } from 'node:crypto';
import type { Collection, SearchTexts } from '../types.ts';
import { columnValue } from '../values.ts';
import { wordsOf } from './words.ts';

/**
 * The index entry of a document: one row with its words, each prefixed with the letter of its part. The order of the words gives their
 * positions. The limits are those of a `tsvector` of PostgreSQL (16,383 positions, 256 of one word, a megabyte); both engines apply them,
 * so that both find the same documents. Words beyond the limits are not found.
 */
export const MOST_WORDS = 16_000;
const MOST_WORD_CHARACTERS = 200_000;
const MOST_OF_ONE_WORD = 200;
/** For all texts of a document together; the rest is not indexed. */
const MOST_CHARACTERS = 1_000_000;

/** Separates two texts, so that no phrase matches across them, and replaces a word that occurs too often. No word begins with a digit. */
export const GAP = '0';

/** The searchable texts of a document, by part, and the scope that its searches are limited to. */
export interface Searchable {
  /** The code of the scope; empty if the collection has none. */
  readonly scope: string;
  readonly texts: readonly (readonly string[])[];
}

/** Returns undefined if no search can find the document: it has no text, or belongs to no scope. */
export function searchableOf<T>({ search, fields }: Collection<T>, document: T): Searchable | undefined {
  if (!search) return undefined;
  const within = search.within === undefined ? '' : columnValue(fields[search.within]!, document);
  if (typeof within !== 'string') return undefined;
  const given = search.of(document);
  let left = MOST_CHARACTERS;
  const texts = search.parts.map((part) => {
    const kept: string[] = [];
    for (const text of listOf(given[part])) {
      if (left <= 0) break;
      if (text === '') continue;
      kept.push(text.slice(0, left));
      left -= text.length;
    }
    return kept;
  });
  if (left === MOST_CHARACTERS) return undefined;
  return { scope: search.within === undefined ? '' : scopeCode(within), texts };
}

function listOf(texts: SearchTexts): readonly string[] {
  if (texts === null || texts === undefined) return [];
  return typeof texts === 'string' ? [texts] : texts;
}

/** A hash of the texts and the scope. It shows whether the index entry must be written, without tokenising the texts. */
export function fingerprintOf({ scope, texts }: Searchable): string {
  return createHash('sha256')
    .update(JSON.stringify([scope, texts]))
    .digest('base64url')
    .slice(0, 22);
}

export function indexedWords({ texts }: Searchable): string[] {
  const words: string[] = [];
  const counts = new Map<string, number>();
  let characters = 0;
  for (const [part, ofPart] of texts.entries()) {
    const letter = partLetter(part);
    for (const [i, text] of ofPart.entries()) {
      if (i > 0) words.push(GAP);
      for (const plain of wordsOf(text, MOST_WORDS - words.length)) {
        characters += plain.length;
        if (characters > MOST_WORD_CHARACTERS) return words;
        const word = letter + plain;
        const count = (counts.get(word) ?? 0) + 1;
        counts.set(word, count);
        words.push(count > MOST_OF_ONE_WORD ? GAP : word);
      }
      if (words.length >= MOST_WORDS) return words;
    }
  }
  return words;
}

const FIRST_LETTER = 'a'.charCodeAt(0);
const LETTERS = 26;
export const MOST_PARTS = LETTERS;
const SCOPE_LETTERS = 8;

/** Only lower-case letters: the tokenizer of FTS5 has to take code, letter and word for a single word. */
export const partLetter = (index: number): string => String.fromCharCode(FIRST_LETTER + index);

/**
 * The code makes equal words of different scopes different index terms, so that a search reads nothing of other scopes. Two scopes may have
 * the same code by chance; the scope itself is compared as well.
 */
export function scopeCode(within: string): string {
  const digest = createHash('sha256').update(within).digest();
  return Array.from(digest.subarray(0, SCOPE_LETTERS), (byte) => partLetter(byte % LETTERS)).join('');
}
