/** An exact decimal number, `units / 10^scale`. The scale is negative if the number ends with zeros. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

export type Rounding = 'nearest' | 'up' | 'down';

const SIGNIFICANT_DIGITS = 15;
/**
 * Digits of an exact double are examined only up to this place: no double looks like a half up to here and has a non-zero digit after it.
 */
const EXACT_DIGITS = 80;
const HALF = /^.\..{14}50*e/;
const EXPONENTIAL = /^(-?)(\d)\.(\d+)e([-+]\d+)$/;

/**
 * A finite double as its 15 significant digits, so 1.15 is exactly 1.15 although the double is smaller. PostgreSQL converts a float8 to
 * numeric in the same way, but rounds a half at the 16th digit to the even neighbour, which `toExponential` does not.
 */
export function decimalOf(value: number): Decimal {
  if (value === 0) return { units: 0n, scale: 0 };
  const [, sign, first, rest, exponent] = EXPONENTIAL.exec(value.toExponential(SIGNIFICANT_DIGITS - 1))!;
  let units = BigInt(`${first}${rest}`);
  if (units % 2n === 1n && isHalf(Math.abs(value))) units -= 1n;
  return { units: sign === '-' ? -units : units, scale: SIGNIFICANT_DIGITS - 1 - Number(exponent) };
}

/**
 * True if the exact value has 16 significant digits and the last one is 5. If such a value was rounded up to an odd digit, the even
 * neighbour is the one below.
 */
function isHalf(value: number): boolean {
  const short = value.toExponential(SIGNIFICANT_DIGITS);
  if (Number(short) !== value) return false;
  return HALF.test(value.toExponential(EXACT_DIGITS));
}

/** The nearest double; Infinity on overflow. */
export const doubleOf = ({ units, scale }: Decimal): number => Number(`${units}e${-scale}`);

export const tenTo = (exponent: number): bigint => 10n ** BigInt(exponent);

export const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

export const signOf = (value: bigint): bigint => (value < 0n ? -1n : value > 0n ? 1n : 0n);

/** The units at a scale that is at least the number's own. */
export const unitsAt = ({ units, scale }: Decimal, wanted: number): bigint => units * tenTo(wanted - scale);

/** Rounds to this many digits after the decimal point; negative counts round before it. Halves round away from zero. */
export function rounded(value: Decimal, digits: number, how: Rounding): Decimal {
  if (value.scale <= digits) return value;
  const step = tenTo(value.scale - digits);
  const rest = value.units % step;
  const away = how === 'up' ? rest !== 0n : how === 'nearest' && 2n * absolute(rest) >= step;
  return { units: value.units / step + (away ? signOf(value.units) : 0n), scale: digits };
}

/** Both numbers in units of a common scale. */
export function aligned(a: Decimal, b: Decimal): { readonly a: bigint; readonly b: bigint; readonly scale: number } {
  const scale = Math.max(a.scale, b.scale);
  return { a: unitsAt(a, scale), b: unitsAt(b, scale), scale };
}
