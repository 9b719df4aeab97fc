/**
 * Tests a text by a LIKE pattern: `%` is any sequence, `_` one character, and nothing escapes them. Greedy with one point to go back to, so that
 * the time is at most the product of both lengths, whatever the pattern.
 */
export function isLike(text: string, pattern: string, ignoreCase = false): boolean {
  const characters = Array.from(ignoreCase ? text.toLowerCase() : text);
  const wanted = Array.from(ignoreCase ? pattern.toLowerCase() : pattern);
  let at = 0;
  let want = 0;
  let star = -1;
  let resume = 0;
  while (at < characters.length) {
    if (wanted[want] === '%') {
      star = want++;
      resume = at;
    } else if (want < wanted.length && (wanted[want] === '_' || wanted[want] === characters[at])) {
      want++;
      at++;
    } else if (star === -1) {
      return false;
    } else {
      want = star + 1;
      at = ++resume;
    }
  }
  while (wanted[want] === '%') want++;
  return want === wanted.length;
}
