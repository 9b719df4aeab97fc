/** Beyond ASCII, where changing the case depends on more than the single letter. */
const WIDE = /[^ -~\s]/;

/**
 * One spelling for texts that differ only in case. Folds letter by letter and keeps the length, so that prefixes, suffixes and substrings
 * keep matching: `toLowerCase` of a whole text turns 'İ' into two letters and a final sigma into another one. No other letter becomes an
 * ASCII one.
 */
export function fold(text: string): string {
  return WIDE.test(text) ? Array.from(text, foldLetter).join('') : text.toLowerCase();
}

function foldLetter(letter: string): string {
  if (letter <= '\u007f') return letter.toLowerCase();
  const upper = letter.toUpperCase();
  return upper.length === letter.length && upper > '\u007f' ? upper : letter;
}
