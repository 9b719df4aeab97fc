/** Beyond ASCII, where lower and upper case depend on more than the letter. */
const WIDE = /[^ -~\s]/;

/**
 * One spelling for all that differ in case only. Letter by letter and of the same length, so that beginnings, ends and parts stay such:
 * `toLowerCase` of a whole text makes two letters of 'İ', and another sigma of the last one. No letter becomes an ASCII one.
 */
export function fold(text: string): string {
  return WIDE.test(text) ? Array.from(text, foldLetter).join('') : text.toLowerCase();
}

function foldLetter(letter: string): string {
  if (letter <= '\u007f') return letter.toLowerCase();
  const upper = letter.toUpperCase();
  return upper.length === letter.length && upper > '\u007f' ? upper : letter;
}
