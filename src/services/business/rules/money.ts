/**
 * Amounts are JSON numbers on the wire and doubles in memory. Every computation uses integers of the smallest decimal place, so that 1.005
 * times 100 is 100.50 and a thousand times 0.10 is 100.
 */
import { errors } from '../errors.ts';

/** `units` times ten to the power of `-places`. */
interface Decimal {
  readonly units: bigint;
  readonly places: number;
}

const CENTS = 2;
const PERCENT_PLACES = 5;
/** Above it a double cannot represent cents. */
const LARGEST = 2n ** 53n;

function decimal(value: number): Decimal {
  if (!Number.isFinite(value)) throw tooLarge(value);
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const units = BigInt(whole + fraction);
  const places = fraction.length - Number(exponent);
  return places >= 0 ? { units, places } : { units: units * 10n ** BigInt(-places), places: 0 };
}

/** Rounds to `to` decimal places, halves away from zero. */
function rounded({ units, places }: Decimal, to: number): number {
  if (places <= to) return toNumber(units * 10n ** BigInt(to - places), to);
  return toNumber(quotient(units, 10n ** BigInt(places - to)), to);
}

function quotient(dividend: bigint, divisor: bigint): bigint {
  const isNegative = dividend < 0n !== divisor < 0n;
  const [over, under] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor];
  const whole = (2n * over + under) / (2n * under);
  return isNegative ? -whole : whole;
}

function toNumber(units: bigint, places: number): number {
  if (units >= LARGEST || units <= -LARGEST) throw tooLarge(Number(units) / 10 ** places);
  // Adding 0 turns a negative zero into zero.
  return Number(units) / 10 ** places + 0;
}

const tooLarge = (value: number): Error =>
  errors.Application_DialogException({ reason: `The amount ${value} is too large to be computed to the cent.` });

/** Rounds an amount to the cent. */
export const cents = (amount: number): number => rounded(decimal(amount), CENTS);

/** The product of all factors, to the cent. */
export function times(...factors: readonly number[]): number {
  return rounded(product(factors), CENTS);
}

function product(factors: readonly number[]): Decimal {
  return factors.map(decimal).reduce((one, other) => ({
    units: one.units * other.units,
    places: one.places + other.places,
  }));
}

/** The sum of unrounded amounts, to the cent. */
export const sum = (...amounts: readonly number[]): number => rounded(exactSum(amounts), CENTS);

/** A sum of quantities, which can have more decimal places than amounts. */
export const sumOfQuantities = (...quantities: readonly number[]): number =>
  rounded(exactSum(quantities), PERCENT_PLACES);

function exactSum(amounts: readonly number[]): Decimal {
  const terms = amounts.map(decimal);
  const places = Math.max(0, ...terms.map((term) => term.places));
  const units = terms.reduce((total, term) => total + term.units * 10n ** BigInt(places - term.places), 0n);
  return { units, places };
}

export const percentOf = (amount: number, percent: number): number => times(amount, percent, 0.01);

/** `amount` times `part` divided by `whole`, to the cent; 0 if `whole` is 0. */
export const share = (amount: number, part: number, whole: number): number =>
  divided(product([amount, part]), whole, CENTS);

/** `part` as a percentage of `whole`. */
export const percentage = (part: number, whole: number): number => divided(product([part, 100]), whole, PERCENT_PLACES);

function divided(dividend: Decimal, divisor: number, to: number): number {
  const { units, places } = decimal(divisor);
  if (units === 0n) return 0;
  const shift = to + places - dividend.places;
  const over = shift >= 0 ? dividend.units * 10n ** BigInt(shift) : dividend.units;
  const under = shift >= 0 ? units : units * 10n ** BigInt(-shift);
  return toNumber(quotient(over, under), to);
}
