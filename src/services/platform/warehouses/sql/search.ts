/** Longer ones are not left to the engine of JavaScript, whose search takes quadratic time for some of them. */
const SHORT = 32;

/** Where a part begins in a text, as `indexOf`, in time that grows with their lengths only. */
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

/** For each beginning of the part, the length of the longest one that it also ends with. */
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

/** What stands between the parts. */
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
