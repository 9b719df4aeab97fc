import type { Cell } from '../../../../../kernel/store/index.ts';
import {
  absolute,
  aligned,
  type Decimal,
  decimalOf,
  doubleOf,
  type Rounding,
  rounded,
  signOf,
  unitsAt,
} from './decimal.ts';
import { fail, outOfRange, TOO_LARGE_DECIMAL, zeroDivisor } from './failures.ts';
import { decimalOfFixed, wholeWithin } from './number-text.ts';
import { inlined, type LibraryPart, number, procedure, quoted, strict, whole } from './part.ts';

/**
 * Rounding and division with remainder, on exact decimals: for integers, fixed decimals, and the 15 digits of doubles. Each function has a
 * separate name per type, because SQLite passes numbers without their type.
 */

/** More digits than any double has, before or after the decimal point. */
const MOST_DIGITS = 400;
/** Below this product a double is precise enough for the fast path. */
const QUICK_BELOW = 1e9;
const POWERS = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

const clamped = (digits: number): number => Math.min(Math.max(digits, -MOST_DIGITS), MOST_DIGITS);

/** Fast path: if the double is far from a half, its nearest multiple is correct, and the quotient of the integers is the nearest double. */
function roundedDouble(value: number, digits: number, how: Rounding): number {
  if (!Number.isFinite(value)) return value;
  const power = POWERS[digits];
  if (how === 'nearest' && power !== undefined) {
    const scaled = Math.abs(value) * power;
    const floor = Math.floor(scaled);
    const fraction = scaled - floor;
    if (scaled < QUICK_BELOW && Math.abs(fraction - 0.5) > 1e-6) {
      return (Math.sign(value) * (fraction > 0.5 ? floor + 1 : floor)) / power;
    }
  }
  // Doubles from 10¹⁵ on have more than 15 digits before the decimal point, which rounding to integers must keep.
  if (Math.abs(value) >= 1e15 && digits >= 0) return wholeDouble(value, how);
  return doubleOf(rounded(decimalOf(value), clamped(digits), how));
}

function wholeDouble(value: number, how: Rounding): number {
  const cut = Math.trunc(value);
  const rest = Math.abs(value - cut);
  return (how === 'up' ? rest > 0 : how === 'nearest' && rest >= 0.5) ? cut + Math.sign(value) : cut;
}

/** A function of two numbers. A result without remainder is a multiple of the second number. */
type Division = (a: Decimal, b: Decimal) => Decimal;

const multiple =
  (name: string, away: (a: bigint, b: bigint, rest: bigint) => boolean): Division =>
  (x, y) => {
    const { a, b, scale } = aligned(x, y);
    if (a === 0n || b === 0n) return name === 'FLOOR' && b === 0n ? fail(zeroDivisor(name)) : { units: 0n, scale: 0 };
    if (signOf(b) < 0n && signOf(a) > 0n) fail(outOfRange(name));
    if (name === 'MROUND' && signOf(a) !== signOf(b)) fail(outOfRange(name));
    const rest = a % b;
    const quotient = a / b + (away(a, b, rest) ? signOf(a) * signOf(b) : 0n);
    return { units: quotient * b, scale };
  };

/** For negative numbers, a negative significance rounds away from zero; a positive significance rounds up (CEILING) or down (FLOOR). */
const MULTIPLES: Readonly<Record<string, Division>> = {
  ceiling: multiple('CEILING', (a, b, rest) => rest !== 0n && (a > 0n || b < 0n)),
  floor: multiple('FLOOR', (a, b, rest) => rest !== 0n && a < 0n && b > 0n),
  mround: multiple('MROUND', (_, b, rest) => 2n * absolute(rest) >= absolute(b)),
};

/** The result has the sign of the divisor. */
const remainder: Division = (x, y) => {
  const { a, b, scale } = aligned(x, y);
  if (b === 0n) fail(zeroDivisor('MOD'));
  const rest = a % b;
  return { units: rest !== 0n && signOf(rest) !== signOf(b) ? rest + b : rest, scale };
};

function quotient(x: Decimal, y: Decimal): bigint {
  const { a, b } = aligned(x, y);
  return b === 0n ? fail(zeroDivisor('QUOTIENT')) : wholeWithin(a / b);
}

const intDecimal = (units: bigint): Decimal => ({ units, scale: 0 });
const fixedWithin = (value: Decimal): bigint => wholeWithin(unitsAt(value, 4), TOO_LARGE_DECIMAL);

type SqliteFunctions = Record<string, (...values: readonly Cell[]) => Cell>;

const ROUNDINGS: Readonly<Record<string, Rounding>> = { round: 'nearest', roundup: 'up', rounddown: 'down' };

function sqliteFunctions(): SqliteFunctions {
  const functions: SqliteFunctions = {};
  for (const [name, how] of Object.entries(ROUNDINGS)) {
    functions[`dax_${name}_double`] = strict.two(number, number, (value, digits) => roundedDouble(value, digits, how));
    functions[`dax_${name}_int`] = strict.two(whole, number, (value, digits) =>
      wholeWithin(unitsAt(rounded(intDecimal(value), clamped(digits), how), 0)),
    );
    functions[`dax_${name}_decimal`] = strict.two(whole, number, (value, digits) =>
      fixedWithin(rounded(decimalOfFixed(value), clamped(digits), how)),
    );
  }
  const ofDoubles = (of: (a: Decimal, b: Decimal) => Cell) =>
    strict.two(number, number, (a, b) =>
      Number.isFinite(a) && Number.isFinite(b) ? of(decimalOf(a), decimalOf(b)) : null,
    );
  for (const [name, of] of Object.entries(MULTIPLES)) {
    functions[`dax_${name}_double`] = ofDoubles((a, b) => doubleOf(of(a, b)));
    functions[`dax_${name}_int`] = strict.two(whole, whole, (a, b) =>
      wholeWithin(unitsAt(of(intDecimal(a), intDecimal(b)), 0)),
    );
    functions[`dax_${name}_decimal`] = strict.two(whole, whole, (a, b) =>
      fixedWithin(of(decimalOfFixed(a), decimalOfFixed(b))),
    );
  }
  functions.dax_mod_double = ofDoubles((a, b) => doubleOf(remainder(a, b)));
  functions.dax_quotient_double = ofDoubles(quotient);
  return functions;
}

/** Each rounding and division in PostgreSQL; `a` and `b` are numeric. */
const ON_NUMERIC: Readonly<Record<string, string>> = {
  round: 'round(a, digits)',
  rounddown: 'trunc(a, digits)',
  roundup: 'trunc(a, digits) + CASE WHEN trunc(a, digits) = a THEN 0 ELSE sign(a) * cloudjar.dax_ten_to(-digits) END',
};

const multipleOnNumeric = (name: string, title: string, away: string): string =>
  procedure(
    `${name}_numeric`,
    { parameters: 'a numeric, b numeric', returns: 'numeric', fails: true },
    `DECLARE rest numeric;
BEGIN
  ${title === 'FLOOR' ? `IF b = 0 THEN PERFORM cloudjar.dax_fail(${quoted(zeroDivisor(title))}, b::text); END IF;` : ''}
  IF a = 0 OR b = 0 THEN RETURN 0; END IF;
  IF ${title === 'MROUND' ? 'sign(a) <> sign(b)' : 'a > 0 AND b < 0'} THEN PERFORM cloudjar.dax_fail(${quoted(outOfRange(title))}, b::text); END IF;
  rest := a % b;
  RETURN (div(a, b) + CASE WHEN ${away} THEN sign(a) * sign(b) ELSE 0 END) * b;
END`,
  );

/** The fast path of `roundedDouble`. The number of digits is usually a constant, and then so is the power. */
const POWER = `power(10::float8, least(greatest(digits, 0), ${POWERS.length - 1})::float8)`;
const QUICKLY_ROUNDED = `CASE WHEN digits BETWEEN 0 AND ${POWERS.length - 1} AND abs(a) < ${QUICK_BELOW} THEN
    CASE WHEN abs(a) * ${POWER} < ${QUICK_BELOW} AND abs(abs(a) * ${POWER} - floor(abs(a) * ${POWER}) - 0.5) > 1e-6
      THEN sign(a) * floor(abs(a) * ${POWER} + 0.5) / ${POWER} ELSE cloudjar.dax_general_round_double(a, digits) END
  ELSE cloudjar.dax_general_round_double(a, digits) END`;

const ROUNDING_PROCEDURES = Object.entries(ON_NUMERIC).flatMap(([name, expression]) => [
  inlined(`${name}_numeric`, { parameters: 'a numeric, digits int', returns: 'numeric' }, expression),
  inlined(
    `general_${name}_double`,
    { parameters: 'a float8, digits bigint', returns: 'float8' },
    `CASE WHEN abs(a) >= 1e15 AND (digits >= 0 OR abs(a) = 'Infinity') THEN ${wholeFloat(name)}
      ELSE cloudjar.dax_double(cloudjar.dax_${name}_numeric(a::numeric, cloudjar.dax_digits(digits))) END`,
  ),
  inlined(
    `${name}_double`,
    { parameters: 'a float8, digits bigint', returns: 'float8' },
    name === 'round' ? QUICKLY_ROUNDED : `cloudjar.dax_general_${name}_double(a, digits)`,
  ),
  inlined(
    `${name}_int`,
    { parameters: 'a bigint, digits bigint', returns: 'bigint', fails: true },
    `cloudjar.dax_integral(cloudjar.dax_${name}_numeric(a::numeric, cloudjar.dax_digits(digits)))`,
  ),
  inlined(
    `${name}_decimal`,
    { parameters: 'a bigint, digits bigint', returns: 'bigint', fails: true },
    `cloudjar.dax_fixed_integral(cloudjar.dax_${name}_numeric(a * 0.0001, cloudjar.dax_digits(digits)) * 10000)`,
  ),
]);

function wholeFloat(name: string): string {
  if (name === 'rounddown') return 'trunc(a)';
  const away = name === 'round' ? 'abs(a - trunc(a)) >= 0.5' : 'a <> trunc(a)';
  // Infinity minus Infinity is NaN, which PostgreSQL considers greater than all numbers.
  return `CASE WHEN abs(a) < 1e18 AND ${away} THEN trunc(a) + sign(a) ELSE trunc(a) END`;
}

const finite = `abs(a) < 'Infinity' AND abs(b) < 'Infinity'`;

const DIVISION_PROCEDURES = [
  multipleOnNumeric('ceiling', 'CEILING', 'rest <> 0 AND (a > 0 OR b < 0)'),
  multipleOnNumeric('floor', 'FLOOR', 'rest <> 0 AND a < 0 AND b > 0'),
  multipleOnNumeric('mround', 'MROUND', '2 * abs(rest) >= abs(b)'),
  ...Object.keys(MULTIPLES).flatMap((name) => [
    inlined(
      `${name}_double`,
      { parameters: 'a float8, b float8', returns: 'float8', fails: true },
      `CASE WHEN ${finite} THEN cloudjar.dax_double(cloudjar.dax_${name}_numeric(a::numeric, b::numeric)) END`,
    ),
    inlined(
      `${name}_int`,
      { parameters: 'a bigint, b bigint', returns: 'bigint', fails: true },
      `cloudjar.dax_integral(cloudjar.dax_${name}_numeric(a::numeric, b::numeric))`,
    ),
    inlined(
      `${name}_decimal`,
      { parameters: 'a bigint, b bigint', returns: 'bigint', fails: true },
      `cloudjar.dax_fixed_integral(cloudjar.dax_${name}_numeric(a * 0.0001, b * 0.0001) * 10000)`,
    ),
  ]),
  procedure(
    'mod_double',
    { parameters: 'a float8, b float8', returns: 'float8', fails: true },
    `DECLARE
  x numeric;
  y numeric;
  rest numeric;
BEGIN
  IF NOT (${finite}) THEN RETURN NULL; END IF;
  x := a;
  y := b;
  IF y = 0 THEN PERFORM cloudjar.dax_fail(${quoted(zeroDivisor('MOD'))}, ''); END IF;
  rest := x % y;
  RETURN cloudjar.dax_double(CASE WHEN rest <> 0 AND sign(rest) <> sign(y) THEN rest + y ELSE rest END);
END`,
  ),
  procedure(
    'quotient_double',
    { parameters: 'a float8, b float8', returns: 'bigint', fails: true },
    `BEGIN
  IF NOT (${finite}) THEN RETURN NULL; END IF;
  IF b::numeric = 0 THEN PERFORM cloudjar.dax_fail(${quoted(zeroDivisor('QUOTIENT'))}, ''); END IF;
  RETURN cloudjar.dax_integral(div(a::numeric, b::numeric));
END`,
  ),
];

export const ROUNDING: LibraryPart = {
  functions: sqliteFunctions(),
  postgres: [
    inlined(
      'digits',
      { parameters: 'digits bigint', returns: 'int' },
      `least(greatest(digits, -${MOST_DIGITS}), ${MOST_DIGITS})::int`,
    ),
    // The literal is exact; a power of ten with a negative exponent would be rounded to 16 digits.
    inlined('ten_to', { parameters: 'exponent int', returns: 'numeric' }, `('1e' || exponent)::numeric`),
    ...ROUNDING_PROCEDURES,
    ...DIVISION_PROCEDURES,
  ],
};
