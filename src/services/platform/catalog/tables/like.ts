/** Patterns of SQL LIKE: `%` is any text, `_` one character, `\` takes the meaning from the one behind it. */

type Piece = 'any' | 'one' | { readonly is: string };

function piecesOf(pattern: string): readonly Piece[] {
  const pieces: Piece[] = [];
  const signs = [...pattern];
  for (let at = 0; at < signs.length; at++) {
    const sign = signs[at] as string;
    if (sign === '\\' && at + 1 < signs.length) pieces.push({ is: signs[++at] as string });
    else pieces.push(sign === '%' ? 'any' : sign === '_' ? 'one' : { is: sign });
  }
  return pieces;
}

/** Whether a text fits, whatever the case. It goes back to the last `%` only, so that it costs no more than text times pattern. */
export function likeMatcher(pattern: string): (text: string) => boolean {
  const pieces = piecesOf(pattern.toLowerCase());
  return (text) => {
    const signs = [...text.toLowerCase()];
    let at = 0;
    let piece = 0;
    let anyPiece = -1;
    let anyAt = 0;
    while (at < signs.length) {
      const wanted = pieces[piece];
      if (wanted === 'any') {
        anyPiece = piece++;
        anyAt = at;
      } else if (wanted === 'one' || (wanted !== undefined && wanted.is === signs[at])) {
        piece++;
        at++;
      } else if (anyPiece >= 0) {
        piece = anyPiece + 1;
        at = ++anyAt;
      } else return false;
    }
    return pieces.slice(piece).every((each) => each === 'any');
  };
}
