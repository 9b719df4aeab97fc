import type { ScalarType } from '../scalar/types.ts';

/**
 * Values that no column of the model can have stand for blank where engines join and look up: they find equal values fast, but not equal
 * absences. Tables refuse the extremes of their types, and folded text has no U+0001.
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
