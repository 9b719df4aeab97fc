/** The text between two stars; `open` if it contains `?`, which matches any character. */
type Piece = { readonly text: string; readonly open: boolean };

/** Size of the cache of parsed patterns; there are few rules and many requests. */
const MOST_KEPT = 2000;
const kept = new Map<string, readonly Piece[]>();

/**
 * Whether `pattern` matches the whole of `text`, ignoring case: `*` matches any characters including slashes, `?` one character. Each piece
 * between stars is searched from left to right, and its first match is always correct, since the following star matches whatever is left
 * over. So nothing is tried twice, and a pattern that would make a regular expression run for years takes no longer than any other.
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
