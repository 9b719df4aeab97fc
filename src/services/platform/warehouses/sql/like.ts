import type { Bound, Row } from './bound.ts';
import type { Meter } from './meter.ts';
import { type Signs, signsOf } from './signs.ts';
import type { SqlValue } from './types.ts';

/**
 * `LIKE`: `%` matches any text, `_` matches one character, a backslash escapes both. Matched piece by piece: a regular expression could
 * take exponential time.
 */
export function likePattern(
  of: Bound,
  pattern: Bound,
  { not, ignoreCase }: { readonly not: boolean; readonly ignoreCase: boolean },
  meter: Meter,
): (row: Row) => SqlValue {
  return (row) => {
    const [text, wanted] = [of.of(row), pattern.of(row)];
    if (text === null || wanted === null) return null;
    const shaped = (value: SqlValue): string => (ignoreCase ? String(value).toLowerCase() : String(value));
    return matches(signsOf(shaped(text)), piecesOf(shaped(wanted), meter), meter) !== not;
  };
}

/** Character comparisons per step: a long text with a long pattern needs billions of them. */
const COMPARED_IN_A_STEP = 4;

/** A part of a pattern: any text, any one character, or a literal character. */
export type Piece = 'any' | 'one' | { readonly is: string };

type Spender = Pick<Meter, 'spend'>;

export function piecesOf(pattern: string, meter: Spender): readonly Piece[] {
  meter.spend(pattern.length);
  const pieces: Piece[] = [];
  const signs = signsOf(pattern);
  for (let at = 0; at < signs.length; at++) {
    const sign = signs[at] as string;
    if (sign === '\\' && at + 1 < signs.length) pieces.push({ is: signs[++at] as string });
    else pieces.push(sign === '%' ? 'any' : sign === '_' ? 'one' : { is: sign });
  }
  return pieces;
}

/** Backtracking to the last `%` is sufficient. */
export function matches(text: Signs, pieces: readonly Piece[], meter: Spender): boolean {
  let at = 0;
  let piece = 0;
  let anyPiece = -1;
  let anyAt = 0;
  let compared = 0;
  while (at < text.length) {
    if (++compared % COMPARED_IN_A_STEP === 0) meter.spend(1);
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
