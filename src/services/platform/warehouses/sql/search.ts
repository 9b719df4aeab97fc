/** For longer parts, JavaScript's own search takes quadratic time in some cases. */
const SHORT = 32;

/** Position of a part in a text, like `indexOf`, in linear time. */
export function placeOf(text: string, part: string): number {
  if (part.length <= SHORT) return text.indexOf(part);
  const shorter = borders(part);
  let matched = 0;
  for (let at = 0; at < text.length; at++) {
    while (matched > 0 && text[at] !== part[matched]) matched = shorter[matched - 1] as number;
    if (text[at] === part[matched]) matched++;
    if (matched === part.length) return at - matched + 1;
  }
  return -1;
}

/** For each prefix of the part, the length of its longest border: the longest proper prefix that is also a suffix. */
function borders(part: string): Int32Array {
  const found = new Int32Array(part.length);
  let length = 0;
  for (let at = 1; at < part.length; at++) {
    while (length > 0 && part[at] !== part[length]) length = found[length - 1] as number;
    if (part[at] === part[length]) length++;
    found[at] = length;
  }
  return found;
}

/** The texts between the occurrences of the part. */
export function splitBy(text: string, part: string): readonly string[] {
  if (part.length <= SHORT) return text.split(part);
  const pieces: string[] = [];
  let rest = text;
  for (let at = placeOf(rest, part); at >= 0; at = placeOf(rest, part)) {
    pieces.push(rest.slice(0, at));
    rest = rest.slice(at + part.length);
  }
  return [...pieces, rest];
}
