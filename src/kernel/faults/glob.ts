/** What is between two stars: text to be found as it is, or with places (`?`) where any character will do. */
type Piece = { readonly text: string; readonly open: boolean };

/** The last so many patterns are kept taken apart; rules are few and requests are many. */
const MOST_KEPT = 2000;
const kept = new Map<string, readonly Piece[]>();

/**
 * Whether `pattern` fits the whole of `text`, without regard to case: `*` is any run of characters, slashes included, `?` is
 * one character. The pieces between the stars are looked for from left to right, each at the first place where it fits; that
 * place is never wrong, since a star behind it takes up whatever is left over. So nothing is ever tried twice, and a pattern
 * that would keep a regular expression busy for years takes no longer than any other.
 */
export function globMatches(pattern: string, text: string): boolean {
  const pieces = piecesOf(pattern);
  const given = text.toLowerCase();
  const first = pieces[0] as Piece;
  if (!fitsAt(first, given, 0)) return false;
  if (pieces.length === 1) return first.text.length === given.length;
  const last = pieces[pieces.length - 1] as Piece;
  const end = given.length - last.text.length;
  let at = first.text.length;
  for (let i = 1; i < pieces.length - 1; i++) {
    const piece = pieces[i] as Piece;
    const found = find(piece, given, at);
    if (found < 0) return false;
    at = found + piece.text.length;
  }
  return at <= end && fitsAt(last, given, end);
}

function piecesOf(pattern: string): readonly Piece[] {
  let pieces = kept.get(pattern);
  if (!pieces) {
    pieces = pattern
      .toLowerCase()
      .split('*')
      .map((text) => ({ text, open: text.includes('?') }));
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(pattern, pieces);
  }
  return pieces;
}

function find(piece: Piece, given: string, from: number): number {
  if (!piece.open) return given.indexOf(piece.text, from);
  for (let at = from; at + piece.text.length <= given.length; at++) if (fitsAt(piece, given, at)) return at;
  return -1;
}

function fitsAt({ text, open }: Piece, given: string, at: number): boolean {
  if (!open) return given.startsWith(text, at);
  if (at + text.length > given.length) return false;
  for (let i = 0; i < text.length; i++) if (text[i] !== '?' && text[i] !== given[at + i]) return false;
  return true;
}
