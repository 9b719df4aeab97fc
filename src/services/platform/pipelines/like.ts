/** A pattern of `LIKE`: `%` stands for any text, `_` for one character, a backslash takes their meaning away. */
export interface LikePattern {
  /** The longest text that whatever matches has in it. */
  readonly longest: string;
  matches(text: string): boolean;
}

type Piece = 'any' | 'one' | { readonly is: string };

export function likePattern(pattern: string): LikePattern {
  const pieces: Piece[] = [];
  const signs = [...pattern];
  for (let at = 0; at < signs.length; at++) {
    const sign = signs[at] as string;
    if (sign === '\\' && at + 1 < signs.length) pieces.push({ is: signs[++at] as string });
    else pieces.push(sign === '%' ? 'any' : sign === '_' ? 'one' : { is: sign });
  }
  return { longest: longestOf(pieces), matches: (text) => matches([...text], pieces) };
}

function longestOf(pieces: readonly Piece[]): string {
  let longest = '';
  let current = '';
  for (const piece of pieces) {
    current = typeof piece === 'string' ? '' : current + piece.is;
    if (current.length > longest.length) longest = current;
  }
  return longest;
}

/** Goes back to the last `%` only, which is enough: a regular expression could take exponential time. */
function matches(text: readonly string[], pieces: readonly Piece[]): boolean {
  let at = 0;
  let piece = 0;
  let anyPiece = -1;
  let anyAt = 0;
  while (at < text.length) {
    const wanted = pieces[piece];
    if (wanted === 'any') {
      anyPiece = piece++;
      anyAt = at;
    } else if (wanted === 'one' || (wanted !== undefined && wanted.is === text[at])) {
      piece++;
      at++;
    } else if (anyPiece >= 0) {
      piece = anyPiece + 1;
      at = ++anyAt;
    } else return false;
  }
  return pieces.slice(piece).every((each) => each === 'any');
}
