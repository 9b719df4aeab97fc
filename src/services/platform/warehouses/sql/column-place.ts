import type { Scope } from './bind.ts';
import type { Column } from './bound.ts';
import { problems } from './problem.ts';
import type { Expression } from './syntax.ts';

export type ColumnName = Extract<Expression, { is: 'column' }>;

/** Number of suggestions for an unknown name. */
const MOST_SUGGESTIONS = 5;
const MOST_COMPARED = 100;
const LONGEST_COMPARED = 64;

const quoted = (parts: readonly string[]): string => parts.map((part) => `\`${part}\``).join('.');

/** Index of the column that a name refers to. Throws if no column or several columns match. */
export function placeOf({ parts, at, index: known }: ColumnName, { columns, places, meter }: Scope): number {
  if (known !== undefined) return known;
  const name = (parts.at(-1) as string).toLowerCase();
  const of = parts.slice(0, -1).map((part) => part.toLowerCase());
  const named = places.get(name) ?? [];
  meter.spend(named.length);
  const [index, another] = named.filter((place) => isOf(columns[place] as Column, of));
  if (index === undefined) throw problems.noColumn(quoted(parts), at, suggestions(name, columns));
  if (another !== undefined) throw problems.ambiguous(quoted(parts), at);
  return index;
}

/** Returns true if a column belongs to the qualifier of its name. */
export function isOf({ from, path = [], hidden }: Column, of: readonly string[]): boolean {
  if (of.length === 0) return !hidden;
  if (of.length === 1) return from?.toLowerCase() === of[0];
  const end = path.slice(-of.length);
  return end.length === of.length && end.every((part, index) => part.toLowerCase() === of[index]);
}

/** The columns with the most similar names. */
function suggestions(name: string, columns: readonly Column[]): readonly string[] {
  const shown = columns.filter(({ hidden }) => !hidden).slice(0, MOST_COMPARED);
  const isOne = new Set(shown.map(({ from }) => from)).size <= 1;
  return shown
    .map((column) => ({ column, distance: distance(name, column.name.toLowerCase()) }))
    .sort((one, other) => one.distance - other.distance)
    .slice(0, MOST_SUGGESTIONS)
    .map(({ column }) => quoted(isOne || column.from === undefined ? [column.name] : [column.from, column.name]));
}

/** The edit distance of two names: the number of letters to change, add and remove. */
function distance(one: string, other: string): number {
  const [a, b] = [one.slice(0, LONGEST_COMPARED), other.slice(0, LONGEST_COMPARED)];
  let before = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const now = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (before[column - 1] as number) + (a[row - 1] === b[column - 1] ? 0 : 1);
      now.push(Math.min(replaced, (before[column] as number) + 1, (now[column - 1] as number) + 1));
    }
    before = now;
  }
  return before[b.length] as number;
}
