/**
 * How full text is cut into words, the same way for documents and for what is searched for, so that both engines find the same. Case, accents and
 * compatibility forms (full-width letters, ligatures) do not count. Everything that is no letter, digit or mark ends a word.
 */

/** Changes when the same text is cut into other words: indexes that were made before have to be rebuilt. */
export const WORDS_VERSION = 1;

/** Code points of a word that count; the rest of a longer word is ignored. */
export const LONGEST_WORD = 64;

const ASCII = /^[\0-\x7f]*$/;
const ASCII_WORD = /[a-z0-9]+/g;

/**
 * Accents and optional vowel points, which belong to no script of their own, and invisible characters within words. The vowel signs of Thai and of
 * Indic scripts stay: without them words would be others. So do the voicing marks of kana.
 */
const IGNORED = /[[\p{Mn}&&[\p{sc=Zinh}\p{sc=Hebr}]]--[\u3099\u309a]]|[\u00ad\u200c\u200d\u2060\ufeff]/gv;

/** Scripts that put no blanks between words: each character is a word of its own, so that a search for several of them is a search for a phrase. */
const WORD =
  /[[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]&&[\p{L}\p{N}]]\p{M}*|[[\p{L}\p{N}\p{M}]--[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]]+/gv;

/** The words of a text in their order, `most` at most. */
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

/** By way of upper case, where `ß` becomes two letters, and `ſ` and `ı` the letters that they are forms of. Only from lower case does `ẞ` get there. */
function foldWords(text: string): string {
  const letters = text.normalize('NFKD').replace(IGNORED, '');
  return letters.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}

/** A code point has two units at most, so that a pair that the slice breaks up comes after those that are kept. */
function cut(word: string): string {
  return Array.from(word.slice(0, LONGEST_WORD * 2))
    .slice(0, LONGEST_WORD)
    .join('');
}
