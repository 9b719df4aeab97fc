/** A row of operators counts as one inside another, and SQLite takes only a thousand of those. */
const LONGEST_ROW = 100;

/** Conditions joined by an operator, in nested rows of bounded length. */
export function balanced(conditions: readonly string[], operator: string): string {
  if (conditions.length <= LONGEST_ROW) return `(${conditions.join(operator)})`;
  const size = Math.ceil(conditions.length / LONGEST_ROW);
  const rows = Array.from({ length: Math.ceil(conditions.length / size) }, (_, i) =>
    balanced(conditions.slice(i * size, (i + 1) * size), operator),
  );
  return `(${rows.join(operator)})`;
}
