import type { AnswerRow } from './evaluator/evaluate.ts';
import type { Json } from './evaluator/values.ts';

/** Number of digits in which sums of quotients agree, whatever the order of their terms. */
const DIGITS = 11;

/** A canonical text of a value; numbers are rounded, because their last digits may differ. */
function written(value: Json): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'number') return JSON.stringify(value);
  return Number.isSafeInteger(value) ? String(value + 0) : String(Number(value.toPrecision(DIGITS)));
}

const writtenRow = (row: AnswerRow): string =>
  `{ ${Object.entries(row)
    .map(([key, value]) => `${key}: ${written(value)}`)
    .join(', ')} }`;

/** Rows as lines of text for comparison: the order of members counts, the order of rows only if the query defines one. */
export function linesOf(rows: readonly AnswerRow[], ordered: boolean): readonly string[] {
  const lines = rows.map(writtenRow);
  return ordered ? lines : lines.toSorted();
}
