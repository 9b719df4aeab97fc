import { createHash } from 'node:crypto';
import type { Collection, SearchTexts } from '../types.ts';
import { columnValue } from '../values.ts';
import { wordsOf } from './words.ts';

/**
 * What is indexed of a document: its words, each with the letter of its part before it, in one row. Their places in the row are their positions.
 * The bounds are those of a `tsvector` of PostgreSQL (16,383 positions, 256 of one word, a megabyte); both engines keep them, so that both find the
 * same. Words beyond the bounds are not found.
 */
export const MOST_WORDS = 16_000;
const MOST_WORD_CHARACTERS = 200_000;
const MOST_OF_ONE_WORD = 200;
/** Of all texts of a document together; the rest is not looked at. */
const MOST_CHARACTERS = 1_000_000;

/** Stands between two texts, so that no phrase is found across them, and in the place of a word that comes too often. No word begins with a digit. */
export const GAP = '0';

/** The texts of a document that can be searched, by part, and what searches of others do not look at. */
export interface Searchable {
  /** The code of the scope; empty where the collection has none. */
  readonly scope: string;
  readonly texts: readonly (readonly string[])[];
}

/** Undefined for a document that no search finds: there is no text, or it is in no scope. */
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

/** The same for the same texts in the same scope: whether the index has to be written is decided without cutting anything into words. */
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

/** Lower-case letters only: the tokenizer of FTS5 has to take code, letter and word for one word. */
export const partLetter = (index: number): string => String.fromCharCode(FIRST_LETTER + index);

/**
 * Words of different scopes are different words of the index, so that a search reads nothing of other scopes. Two scopes may have the same code by
 * chance; the scope itself is compared as well.
 */
export function scopeCode(within: string): string {
  const digest = createHash('sha256').update(within).digest();
  return Array.from(digest.subarray(0, SCOPE_LETTERS), (byte) => partLetter(byte % LETTERS)).join('');
}
