import { problems } from './problem.ts';
import { isJson, type SqlType, type SqlValue, typeText } from './types.ts';

/** The order of two values of one type. NaN is greater than any number. */
export function compare(left: Exclude<SqlValue, null>, right: Exclude<SqlValue, null>): number {
  if (typeof left === 'number' && typeof right === 'number') {
    if (Number.isNaN(left) || Number.isNaN(right)) return Number(Number.isNaN(left)) - Number(Number.isNaN(right));
  }
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Throws for types that support only equality. */
export function checkOrdered(type: SqlType, what: string): void {
  if (isJson(type)) throw problems.unordered(what, typeText(type).slice(0, 200));
}
