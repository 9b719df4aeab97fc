import type { Compiler } from './compiler.ts';
import type { ScalarSql } from './environment.ts';

/** A sort key. Blanks come first in ascending order; texts sort in the order in which they compare. */
export function ordered(compiler: Compiler, value: ScalarSql, descending: boolean): string {
  const { dialect } = compiler;
  const key = compiler.orderOf(value);
  return descending ? dialect.descending(key) : dialect.ascending(key);
}

/** The rows at or after a position in the sort order. */
export function startingAt(
  compiler: Compiler,
  keys: readonly { readonly value: ScalarSql; readonly descending: boolean }[],
  start: readonly ScalarSql[],
): string {
  const { same } = compiler.dialect;
  const alternatives = start.map((_, last) => {
    const before = start
      .slice(0, last)
      .map((value, i) => `${compiler.keyOf(keys[i]!.value)} ${same} ${compiler.keyOf(value)}`);
    return [...before, behind(compiler, keys[last]!, start[last]!, last === start.length - 1)].join(' AND ');
  });
  return `(${alternatives.map((each) => `(${each})`).join(' OR ')})`;
}

function behind(
  compiler: Compiler,
  { value, descending }: { readonly value: ScalarSql; readonly descending: boolean },
  start: ScalarSql,
  included: boolean,
): string {
  const key = compiler.orderOf(value);
  const from = compiler.orderOf(start);
  const equal = `${key} ${compiler.dialect.same} ${from}`;
  // A blank sorts before every other value.
  const further = descending
    ? `(${key} < ${from} OR (${key} IS NULL AND ${from} IS NOT NULL))`
    : `(${key} > ${from} OR (${key} IS NOT NULL AND ${from} IS NULL))`;
  return included ? `(${further} OR ${equal})` : further;
}
