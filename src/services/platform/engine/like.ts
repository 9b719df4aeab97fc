import { matches, type Piece, piecesOf } from '../warehouses/sql/like.ts';
import { signsOf } from '../warehouses/sql/signs.ts';

/** A `LIKE` pattern for lists, as in SQL: `%` matches any text, `_` one character, and a backslash escapes them. */
export interface LikePattern {
  /** The longest text that every match contains. */
  readonly longest: string;
  matches(text: string): boolean;
}

/** Names and patterns in lists are short, so no steps need to be counted. */
const UNCOUNTED = { spend() {} };

export function likePattern(pattern: string, { ignoreCase = false } = {}): LikePattern {
  const shaped = (text: string): string => (ignoreCase ? text.toLowerCase() : text);
  const pieces = piecesOf(shaped(pattern), UNCOUNTED);
  return { longest: longestOf(pieces), matches: (text) => matches(signsOf(shaped(text)), pieces, UNCOUNTED) };
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
