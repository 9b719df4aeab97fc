/** A value of the language: BLANK is null, an integer a bigint, a decimal number a number, a fixed decimal its ten-thousandths. */
export type Value = null | bigint | number | string | boolean | Serial | Fixed;

/** A date: days since 1899-12-30. */
export interface Serial {
  readonly serial: number;
}

export interface Fixed {
  readonly tenThousandths: bigint;
}

/** The evaluator cannot compute the query; it may still be valid. */
export class EvaluationError extends Error {}

export class Unsupported extends Error {}

export const isSerial = (value: Value): value is Serial =>
  typeof value === 'object' && value !== null && 'serial' in value;

export const isFixed = (value: Value): value is Fixed =>
  typeof value === 'object' && value !== null && 'tenThousandths' in value;

/** Texts are equal if their folded forms are. */
export const fold = (text: string): string => text.replace(/ +$/, '').toLowerCase();

/** The number to which arithmetic converts a number, date, boolean, blank or numeric text. */
export function toNumber(value: Value): number | bigint {
  if (value === null) return 0n;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (isSerial(value)) return value.serial;
  if (isFixed(value))
    return value.tenThousandths % 10_000n === 0n
      ? value.tenThousandths / 10_000n
      : Number(value.tenThousandths) / 10_000;
  if (typeof value !== 'string') return value;
  if (/^\s*[-+]?\d+\s*$/.test(value)) return BigInt(value.trim());
  if (/^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i.test(value)) return Number(value);
  throw new EvaluationError(`cannot convert value '${value}' of type Text to type Number`);
}

/** Truth in IF, NOT, && and FILTER. */
export function isTrue(value: Value): boolean {
  if (typeof value === 'string')
    throw new EvaluationError(`cannot convert value '${value}' of type Text to type True/False`);
  return Number(toNumber(value)) !== 0;
}

/** The text form in `&` and text columns. */
export function toText(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (isSerial(value)) throw new Unsupported('a date as text');
  return String(toNumber(value));
}

type Class = 'number' | 'text' | 'boolean';

function classOf(value: Exclude<Value, null>): Class {
  if (typeof value === 'string') return 'text';
  return typeof value === 'boolean' ? 'boolean' : 'number';
}

const order = <T>(left: T, right: T): number => (left < right ? -1 : left > right ? 1 : 0);

function compareKnown(left: Exclude<Value, null>, right: Exclude<Value, null>): number {
  if (typeof left === 'string' && typeof right === 'string') return order(fold(left), fold(right));
  if (typeof left === 'boolean' && typeof right === 'boolean') return order(left, right);
  if (classOf(left) !== classOf(right))
    throw new EvaluationError(
      `comparison operations do not support comparing values of type ${classOf(left)} with values of type ${classOf(right)}`,
    );
  return order(toNumber(left), toNumber(right));
}

function zeroLike(value: Exclude<Value, null>): Exclude<Value, null> {
  if (typeof value === 'string') return '';
  return typeof value === 'boolean' ? false : 0n;
}

/** Compares as `=`, `<` and `>` do: BLANK counts as zero or empty text. */
export function compare(left: Value, right: Value): number {
  if (left === null) return right === null ? 0 : compareKnown(zeroLike(right), right);
  return right === null ? compareKnown(left, zeroLike(left)) : compareKnown(left, right);
}

/** Compares as `==`, IN, filters and grouping do: BLANK equals only BLANK. */
export function isSame(left: Value, right: Value): boolean {
  if (left === null || right === null) return left === right;
  return compareKnown(left, right) === 0;
}

const RANK: Readonly<Record<Class, number>> = { number: 0, text: 1, boolean: 2 };

/** Order in ORDER BY and TOPN: BLANK first, then numbers, texts and booleans. */
export function sortOrder(left: Value, right: Value): number {
  if (left === null || right === null) return order(left !== null, right !== null);
  return order(RANK[classOf(left)], RANK[classOf(right)]) || compareKnown(left, right);
}

/** Equal for equal values, different for all others. */
export function identity(value: Value): string {
  if (value === null) return 'blank';
  if (typeof value === 'string') return `text ${fold(value)}`;
  if (typeof value === 'boolean') return `boolean ${value}`;
  const number = toNumber(value);
  return `number ${Number.isInteger(number) ? BigInt(number) : number}`;
}

export const identityOfRow = (row: readonly Value[]): string => JSON.stringify(row.map(identity));

const DAY_MS = 86_400_000;
const SERIAL_OF_1970 = 25_569;

/** Rounded to a millisecond, because fractions of days are not exact. */
export function isoDate(serial: number): string {
  const text = new Date(Math.round((serial - SERIAL_OF_1970) * DAY_MS)).toISOString();
  return text.replace(/(\.\d*?)0*Z$/, (_, fraction: string) => (fraction === '.' ? '' : fraction));
}

export type Json = null | number | bigint | string | boolean;

/** The JSON value in a response. Infinity becomes null; an integer beyond 2⁵³ stays a bigint. */
export function toJson(value: Value): Json {
  if (isSerial(value)) return isoDate(value.serial);
  if (isFixed(value)) value = toNumber(value);
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  return typeof value === 'number' && !Number.isFinite(value) ? null : value;
}
