import { calculate, negate } from './arithmetic.ts';
import { compare, isoDate, isTrue, toNumber, toText, type Value } from './values.ts';

const unlessBlank =
  (compute: (value: Exclude<Value, null>) => Value) =>
  (value: Value): Value =>
    value === null ? null : compute(value);

const datePart = (from: number, to: number) =>
  unlessBlank((value) => BigInt(isoDate(Number(toNumber(value))).slice(from, to)));

/** Scalar functions that evaluate all their arguments. */
export const SCALAR_FUNCTIONS: Readonly<Record<string, (...values: readonly Value[]) => Value>> = {
  BLANK: () => null,
  ISBLANK: (value = null) => value === null,
  AND: (left = null, right = null) => isTrue(left) && isTrue(right),
  OR: (left = null, right = null) => isTrue(left) || isTrue(right),
  NOT: (value = null) => !isTrue(value),
  COALESCE: (...values) => values.find((value) => value !== null) ?? null,
  DIVIDE: (left = null, right = null, otherwise = null) => {
    if (Number(toNumber(right)) === 0) return otherwise;
    return calculate('/', left, right);
  },
  MIN: (left = null, right = null) => (compare(left, right) <= 0 ? zeroed(left, right) : zeroed(right, left)),
  MAX: (left = null, right = null) => (compare(left, right) >= 0 ? zeroed(left, right) : zeroed(right, left)),
  ABS: (value = null) => unlessBlank((known) => (compare(known, 0n) < 0 ? negate(known) : known))(value),
  INT: (value = null) =>
    unlessBlank((known) => {
      const number = toNumber(known);
      return typeof number === 'bigint' ? number : BigInt(Math.floor(number));
    })(value),
  LEN: (value = null) => BigInt(toText(value).length),
  UPPER: (value = null) => toText(value).toUpperCase(),
  LOWER: (value = null) => toText(value).toLowerCase(),
  YEAR: (value = null) => datePart(0, 4)(value),
  MONTH: (value = null) => datePart(5, 7)(value),
  DAY: (value = null) => datePart(8, 10)(value),
};

/** Of two arguments, BLANK counts as 0 unless both are BLANK. */
const zeroed = (chosen: Value, other: Value): Value => (chosen === null && other !== null ? 0n : chosen);
