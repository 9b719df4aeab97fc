/**
 * Tokenises text for full-text search, the same way for documents and for queries, so that both engines find the same documents. Case,
 * accents and compatibility forms (full-width letters, ligatures) are ignored. Every character that is not a letter, digit or mark ends a
 * word.
 */

/** Raise this when tokenising changes: existing indexes must then be rebuilt. */
export const WORDS_VERSION = 1;

/** The number of significant code points of a word; the rest is ignored. */
export const LONGEST_WORD = 64;

const ASCII = /^[\0-\x7f]*$/;
const ASCII_WORD = /[a-z0-9]+/g;

/**
 * Accents and optional vowel points, which belong to no script of their own, and invisible characters within words. The vowel signs of Thai
 * and of Indic scripts are kept, because they distinguish words. So are the voicing marks of kana.
 */
const IGNORED = /[[\p{Mn}&&[\p{sc=Zinh}\p{sc=Hebr}]]--[\u3099\u309a]]|[\u00ad\u200c\u200d\u2060\ufeff]/gv;

/** Scripts without spaces between words: each character is a separate word, so that a search for several of them is a phrase search. */
const WORD =
  /[[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]&&[\p{L}\p{N}]]\p{M}*|[[\p{L}\p{N}\p{M}]--[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]]+/gv;

/** Returns the words of a text in order, at most `most`. */
export function wordsOf(text: string, most = Number.POSITIVE_INFINITY): string[] {
  const isAscii = ASCII.test(text);
  const folded = isAscii ? text.toLowerCase() : foldWords(text);
  const words: string[] = [];
  for (const [word] of folded.matchAll(isAscii ? ASCII_WORD : WORD)) {
    if (words.length >= most) break;
    words.push(word.length > LONGEST_WORD ? cut(word) : word);
  }
  return words;
}

/** Folds through upper case, where `ß` becomes two letters, and `ſ` and `ı` their base letters. `ẞ` gets there only from lower case. */
function foldWords(text: string): string {
  const letters = text.normalize('NFKD').replace(IGNORED, '');
  return letters.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}

/** A code point has at most two units, so a surrogate pair that the slice splits lies beyond the code points that are kept. */
function cut(word: string): string {
  return Array.from(word.slice(0, LONGEST_WORD * 2))
    .slice(0, LONGEST_WORD)
    .join('');
}
