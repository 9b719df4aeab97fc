import type { AnswerRow } from './evaluator/evaluate.ts';
import type { Json } from './evaluator/values.ts';

/** Digits that sums of quotients agree in whatever the order of their terms. */
const DIGITS = 11;

/** A value as text that is equal for equal values; numbers may differ in their last digits. */
function written(value: Json): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'number') return JSON.stringify(value);
  return Number.isSafeInteger(value) ? String(value + 0) : String(Number(value.toPrecision(DIGITS)));
}

const writtenRow = (row: AnswerRow): string =>
  `{ ${Object.entries(row)
    .map(([key, value]) => `${key}: ${written(value)}`)
    .join(', ')} }`;

/** Rows as lines of text, to be compared: the order of members counts, that of rows only where the query has one. */
export function linesOf(rows: readonly AnswerRow[], ordered: boolean): readonly string[] {
  const lines = rows.map(writtenRow);
  return ordered ? lines : lines.toSorted();
}
