/** SQLite counts a chain of operators as nested expressions, and allows a depth of only one thousand. */
const LONGEST_ROW = 100;

/** Joins conditions with an operator, nested so that no chain is too long. */
export function balanced(conditions: readonly string[], operator: string): string {
  if (conditions.length <= LONGEST_ROW) return `(${conditions.join(operator)})`;
  const size = Math.ceil(conditions.length / LONGEST_ROW);
  const rows = Array.from({ length: Math.ceil(conditions.length / size) }, (_, i) =>
    balanced(conditions.slice(i * size, (i + 1) * size), operator),
  );
  return `(${rows.join(operator)})`;
}
