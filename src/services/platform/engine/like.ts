import { matches, type Piece, piecesOf } from '../warehouses/sql/like.ts';
import { signsOf } from '../warehouses/sql/signs.ts';

/** A pattern of `LIKE` in lists, as SQL has it: `%` stands for any text, `_` for one character, a backslash takes their meaning away. */
export interface LikePattern {
  /** The longest text that whatever matches has in it. */
  readonly longest: string;
  matches(text: string): boolean;
}

/** Names and patterns of lists are short, so that nobody counts the steps. */
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
