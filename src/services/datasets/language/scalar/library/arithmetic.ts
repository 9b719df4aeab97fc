import type { Cell } from '../../../../../kernel/store/index.ts';
import { fail, TOO_LARGE } from './failures.ts';
import { inlined, type LibraryPart, strict } from './part.ts';

/**
 * Operators on doubles that never fail. PostgreSQL raises an error if a result overflows or underflows; here the result is Infinity or
 * zero, as on SQLite. There is no NaN: it becomes BLANK.
 */

const zeroIfBlank = (value: Cell): number => (value === null ? 0 : Number(value));
const blankIfNaN = (value: number): number | null => (Number.isNaN(value) ? null : value);

/** One to any power is one. */
const raised = (a: number, b: number): number | null =>
  Math.abs(a) === 1 && !Number.isFinite(b) ? 1 : blankIfNaN(a ** b);

/** An integer on SQLite. It arrives as a double if the result of an operator exceeded 64 bits. */
function inRange(value: number | bigint | string): bigint {
  if (typeof value === 'bigint') return value;
  return Number.isSafeInteger(value) ? BigInt(value) : fail(TOO_LARGE);
}

const power = (exponent: bigint): string => `${2n ** exponent}::float8`;
const inverse = (exponent: bigint): string => `(1 / ${power(exponent)})`;
const doubles = { parameters: 'a float8, b float8', returns: 'float8' } as const;

/** A range in which the product or quotient of any two numbers is a double. */
const moderate = (value: string): string => `abs(${value}) < 1e150 AND abs(${value}) > 1e-150`;

/** Called for operands with which the plain operator might fail; also handles NULL. */
const general = (name: string, body: string): string =>
  `CREATE OR REPLACE FUNCTION cloudjar.dax_${name}(a float8, b float8) RETURNS float8 LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $fn$
${body}
$fn$;`;

/** Adding the halves of large numbers gives half their sum, which shows if the sum overflows. */
const sum = (name: string, sign: '+' | '-'): string[] => [
  general(
    `general_${name}`,
    `DECLARE half float8;
BEGIN
  IF a IS NULL OR b IS NULL THEN RETURN coalesce(a, ${sign}b); END IF;
  IF abs(a) = 'Infinity' OR abs(b) = 'Infinity' THEN RETURN nullif(a ${sign} b, 'NaN'); END IF;
  IF abs(a) < 1e-300 THEN RETURN ${sign}b; END IF;
  IF abs(b) < 1e-300 THEN RETURN a; END IF;
  half := a / 2 ${sign} b / 2;
  RETURN CASE WHEN abs(half) >= ${power(1023n)} THEN sign(half) * 'Infinity'::float8 ELSE a ${sign} b END;
END`,
  ),
  inlined(
    name,
    doubles,
    `CASE WHEN abs(a) < 1e300 AND abs(b) < 1e300 THEN a ${sign} b ELSE cloudjar.dax_general_${name}(a, b) END`,
  ),
  inlined(name, { parameters: 'a bigint, b bigint', returns: 'bigint' }, `coalesce(a ${sign} b, a, ${sign}b)`),
];

/** Operands are scaled by powers of two, which is exact, to see if the result overflows or underflows. */
const PRODUCT = [
  general(
    'general_multiply',
    `DECLARE
  large float8 := greatest(abs(a), abs(b));
  small float8 := least(abs(a), abs(b));
BEGIN
  IF a IS NULL OR b IS NULL THEN RETURN NULL; END IF;
  IF large = 'Infinity' THEN RETURN nullif(a * b, 'NaN'); END IF;
  IF small = 0 THEN RETURN 0; END IF;
  IF large >= ${power(512n)} AND small >= 1 THEN
    IF small >= ${power(512n)} OR large / ${power(512n)} * small >= ${power(512n)} THEN RETURN sign(a) * sign(b) * 'Infinity'::float8; END IF;
  ELSIF large < 1 AND small <= ${inverse(500n)} THEN
    IF large * ${power(537n)} * (small * ${power(538n)}) <= 1 THEN RETURN 0; END IF;
  END IF;
  RETURN a * b;
END`,
  ),
  inlined(
    'multiply',
    doubles,
    `CASE WHEN ${moderate('a')} AND ${moderate('b')} THEN a * b ELSE cloudjar.dax_general_multiply(a, b) END`,
  ),
];

const QUOTIENT = [
  general(
    'general_divide',
    `DECLARE
  x float8 := abs(a);
  y float8 := abs(b);
BEGIN
  IF a IS NULL THEN RETURN NULL; END IF;
  IF b IS NULL OR b = 0 THEN RETURN CASE WHEN a <> 0 THEN sign(a) * 'Infinity'::float8 END; END IF;
  IF y = 'Infinity' THEN RETURN CASE WHEN x < 'Infinity' THEN 0 END; END IF;
  IF a = 0 THEN RETURN 0; END IF;
  IF x = 'Infinity' THEN RETURN a * sign(b); END IF;
  IF y < 1 AND x >= ${inverse(400n)} THEN
    IF x >= ${power(512n)} AND y <= ${inverse(512n)} OR x / ${power(512n)} / (y * ${power(512n)}) >= 1 THEN RETURN sign(a) * sign(b) * 'Infinity'::float8; END IF;
  ELSIF x < 1 AND y >= 1 AND (x <= ${inverse(400n)} OR y >= ${power(400n)}) THEN
    IF x * ${power(538n)} / (y / ${power(537n)}) <= 1 THEN RETURN 0; END IF;
  END IF;
  RETURN a / b;
END`,
  ),
  inlined(
    'divide',
    doubles,
    `CASE WHEN ${moderate('a')} AND ${moderate('b')} THEN a / b ELSE cloudjar.dax_general_divide(a, b) END`,
  ),
  inlined(
    'divide_or_blank',
    doubles,
    `CASE WHEN ${moderate('a')} AND ${moderate('b')} THEN a / b WHEN b <> 0 THEN cloudjar.dax_general_divide(a, b) END`,
  ),
];

/**
 * From the exponent `infinite` on, e to that power overflows; up to `zero` it underflows to zero. Close to these limits, the power with
 * half the exponent is squared instead.
 */
const EXPONENTS = { infinite: 709.79, zero: -745.2, lowest: -744, highest: 709.7 };

const EXPONENTIATION = [
  inlined(
    'exp',
    { parameters: 'a float8', returns: 'float8' },
    `CASE WHEN a > ${EXPONENTS.infinite} THEN 'Infinity'::float8 WHEN a < ${EXPONENTS.zero} THEN 0 WHEN a BETWEEN ${EXPONENTS.lowest} AND ${EXPONENTS.highest} THEN exp(a)
      ELSE cloudjar.dax_multiply(exp(a / 2), exp(a / 2)) END`,
  ),
  general(
    'power',
    `DECLARE
  x float8 := abs(a);
  y float8 := coalesce(b, 0);
  estimate float8;
  root float8;
  negative boolean := false;
BEGIN
  IF a IS NULL THEN RETURN NULL; END IF;
  IF y = 0 OR a = 1 THEN RETURN 1; END IF;
  IF abs(y) = 'Infinity' THEN RETURN CASE WHEN x = 1 THEN 1 WHEN (x > 1) = (y > 0) THEN 'Infinity'::float8 ELSE 0 END; END IF;
  IF a < 0 THEN
    IF x < 'Infinity' AND y <> trunc(y) THEN RETURN NULL; END IF;
    negative := abs(y) < 1e16 AND y = trunc(y) AND trunc(trunc(y) / 2) * 2 <> y;
  END IF;
  IF x = 0 OR x = 'Infinity' THEN
    RETURN CASE WHEN (x = 0) = (y > 0) THEN 0 WHEN negative AND x > 0 THEN '-Infinity'::float8 ELSE 'Infinity'::float8 END;
  END IF;
  estimate := cloudjar.dax_multiply(y, ln(x));
  IF estimate BETWEEN ${EXPONENTS.lowest} AND ${EXPONENTS.highest} THEN RETURN power(a, y); END IF;
  IF estimate < ${EXPONENTS.zero} THEN RETURN 0; END IF;
  IF estimate > 709.9 THEN RETURN CASE WHEN negative THEN '-Infinity'::float8 ELSE 'Infinity'::float8 END; END IF;
  root := power(x, y / 2);
  RETURN cloudjar.dax_multiply(root, CASE WHEN negative THEN -root ELSE root END);
END`,
  ),
];

export const ARITHMETIC: LibraryPart = {
  functions: {
    dax_add: (a: Cell, b: Cell) => (a === null && b === null ? null : blankIfNaN(zeroIfBlank(a) + zeroIfBlank(b))),
    dax_subtract: (a: Cell, b: Cell) => (a === null && b === null ? null : blankIfNaN(zeroIfBlank(a) - zeroIfBlank(b))),
    dax_divide: (a: Cell, b: Cell) => {
      if (a === null) return null;
      const divisor = zeroIfBlank(b);
      // Negative zero counts as zero.
      return blankIfNaN(Number(a) / (divisor === 0 ? 0 : divisor));
    },
    dax_in_range: strict.one((value) => value, inRange),
    dax_power: (a: Cell, b: Cell) => (a === null ? null : raised(Number(a), zeroIfBlank(b))),
  },
  postgres: [...sum('add', '+'), ...sum('subtract', '-'), ...PRODUCT, ...QUOTIENT, ...EXPONENTIATION],
};
