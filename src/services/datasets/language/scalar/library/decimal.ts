/** An exact decimal number, `units / 10^scale`. The scale is negative where a number ends with zeros. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

export type Rounding = 'nearest' | 'up' | 'down';

const SIGNIFICANT_DIGITS = 15;
/** Digits of an exact double are no longer looked at behind this place: none is a half up to there and something else after it. */
const EXACT_DIGITS = 80;
const HALF = /^.\..{14}50*e/;
const EXPONENTIAL = /^(-?)(\d)\.(\d+)e([-+]\d+)$/;

/**
 * A finite double as it is written: its 15 significant digits. So 1.15 is 1.15, although the double is smaller. PostgreSQL converts a float8 to
 * a numeric in the same way, and rounds a half at the 16th digit to the even neighbour, which `toExponential` does not.
 */
export function decimalOf(value: number): Decimal {
  if (value === 0) return { units: 0n, scale: 0 };
  const [, sign, first, rest, exponent] = EXPONENTIAL.exec(value.toExponential(SIGNIFICANT_DIGITS - 1))!;
  let units = BigInt(`${first}${rest}`);
  if (units % 2n === 1n && isHalf(Math.abs(value))) units -= 1n;
  return { units: sign === '-' ? -units : units, scale: SIGNIFICANT_DIGITS - 1 - Number(exponent) };
}

/** Whether the exact value has 16 digits and the last of them is a 5; the even neighbour is then the one below an odd number that was rounded up. */
function isHalf(value: number): boolean {
  const short = value.toExponential(SIGNIFICANT_DIGITS);
  if (Number(short) !== value) return false;
  return HALF.test(value.toExponential(EXACT_DIGITS));
}

/** The nearest double, Infinity beyond them. */
export const doubleOf = ({ units, scale }: Decimal): number => Number(`${units}e${-scale}`);

export const tenTo = (exponent: number): bigint => 10n ** BigInt(exponent);

export const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

export const signOf = (value: bigint): bigint => (value < 0n ? -1n : value > 0n ? 1n : 0n);

/** Units of a scale that is not smaller than the number's own. */
export const unitsAt = ({ units, scale }: Decimal, wanted: number): bigint => units * tenTo(wanted - scale);

/** Rounds to so many digits behind the point, before it where that is negative. A half goes away from zero. */
export function rounded(value: Decimal, digits: number, how: Rounding): Decimal {
  if (value.scale <= digits) return value;
  const step = tenTo(value.scale - digits);
  const rest = value.units % step;
  const away = how === 'up' ? rest !== 0n : how === 'nearest' && 2n * absolute(rest) >= step;
  return { units: value.units / step + (away ? signOf(value.units) : 0n), scale: digits };
}

/** Both numbers in units of one scale. */
export function aligned(a: Decimal, b: Decimal): { readonly a: bigint; readonly b: bigint; readonly scale: number } {
  const scale = Math.max(a.scale, b.scale);
  return { a: unitsAt(a, scale), b: unitsAt(b, scale), scale };
}
