import type { ScalarType } from '../scalar/types.ts';

/**
 * Replaces NULL with a sentinel in joins and lookups, because engines find equal values by index, but not equal NULLs. No model column can
 * hold a sentinel: tables reject the extreme values of their types, and folded text contains no U+0001.
 */
export function present(key: string, type: ScalarType): string {
  return `coalesce(${key}, ${SENTINELS[type]})`;
}

const WHOLE = '(-9223372036854775807 - 1)';
const REAL = '-1.7976931348623157e308';
const TEXT = "'\u0001'";

const SENTINELS: Readonly<Record<ScalarType, string>> = {
  int: WHOLE,
  decimal: WHOLE,
  boolean: '-1',
  double: REAL,
  date: REAL,
  text: TEXT,
  variant: TEXT,
  blank: WHOLE,
};
