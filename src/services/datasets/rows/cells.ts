import type { Cell, ColumnType } from '../../../kernel/store/index.ts';
import { serialOf } from './dates.ts';
import { LongNumber } from './exact-json.ts';

/** Longer texts are rejected. */
export const LONGEST_TEXT = 4000;

const LEAST_INT64 = -(2n ** 63n);
const GREATEST_INT64 = 2n ** 63n - 1n;
/** Decimals are stored in ten-thousandths. */
const DECIMAL_UNITS = 10_000;
const DECIMAL_PLACES = 4;
/** Below this value, multiplying a double by ten thousand loses no precision. */
const EXACT_DECIMAL = 2 ** 52 / DECIMAL_UNITS;
const NEARLY = 1e-6;

/** Maximum number of digits before the decimal point; more than any type stores. */
const MOST_DIGITS = 40;

const WHOLE = /^[+-]?\d{1,42}$/;
const NUMBER = /^[+-]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:e[+-]?\d{1,3})?$/i;

/** Converts a value other than null to its stored form. Returns undefined if a column of the type cannot hold it. */
export type Convert = (value: unknown) => Cell | undefined;

/**
 * Numbers can also be sent as text. A parsed JSON number is converted only if it certainly equals the number that was sent; `convertLong`
 * converts the others. If both reject a value, `mistakeOf` gives the message.
 */
export const CONVERT: Readonly<Record<ColumnType, Convert>> = { int64, decimal, double, boolean, datetime, text };

/** True if the parsed double may have been rounded, or is too large for `CONVERT`. */
export const mayBeRounded = (type: ColumnType, value: unknown): boolean =>
  typeof value === 'number' && (type === 'int64' || type === 'decimal');

/** Converts a value that `CONVERT` rejected, after parsing the JSON with all digits. */
export function convertLong(type: ColumnType, value: unknown): Cell | undefined {
  if (typeof value !== 'number' && !(value instanceof LongNumber)) return undefined;
  const written = typeof value === 'number' ? String(value) : value.source;
  if (type === 'double') return double(written);
  if (type === 'int64') return int64(wholeText(written));
  return type === 'decimal' ? decimal(written) : undefined;
}

/** `1e17` and `100000000000000000.0` are integers, too. Works on the text, because a double of this size has lost digits. */
function wholeText(written: string): string {
  if (WHOLE.test(written) || !NUMBER.test(written)) return written;
  const { isNegative, digits, point } = partsOf(written);
  if (point > MOST_DIGITS || /[1-9]/.test(digits.slice(Math.max(point, 0)))) return written;
  return `${isNegative ? '-' : ''}0${digits.slice(0, Math.max(point, 0)).padEnd(point, '0')}`;
}

/** Splits a number that matches `NUMBER` into its digits and the number of digits before the decimal point. */
function partsOf(written: string) {
  const [mantissa = '', exponent = '0'] = written.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace(/^[+-]/, '').split('.');
  return { isNegative: mantissa.startsWith('-'), digits: whole + fraction, point: whole.length + Number(exponent) };
}

function int64(value: unknown): Cell | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value + 0 : undefined;
  const written = numberText(value);
  return written !== undefined && WHOLE.test(written) ? inRange(BigInt(written.replace('+', ''))) : undefined;
}

/** The two extreme values are rejected, as in the real service. */
function inRange(value: bigint): Cell | undefined {
  if (value <= LEAST_INT64 || value >= GREATEST_INT64) return undefined;
  const small = Number(value);
  return Number.isSafeInteger(small) ? small : value;
}

/** Rounded to four decimal places, halves away from zero. */
function decimal(value: unknown): Cell | undefined {
  if (typeof value === 'number') {
    const units = value * DECIMAL_UNITS;
    const nearest = Math.round(units);
    if (!(Math.abs(value) < EXACT_DECIMAL)) return undefined;
    // A double next to a decimal fraction differs from it only slightly; if it differs more, the number has more than four decimal places.
    return Math.abs(units - nearest) < NEARLY ? nearest + 0 : decimalUnits(String(value));
  }
  const written = numberText(value);
  return written !== undefined && NUMBER.test(written) ? decimalUnits(written) : undefined;
}

function decimalUnits(written: string): Cell | undefined {
  const { isNegative, digits, point } = partsOf(written);
  // The number of leading digits that belong to the value in ten-thousandths.
  const kept = point + DECIMAL_PLACES;
  if (kept > MOST_DIGITS && /[1-9]/.test(digits)) return undefined;
  const units = BigInt(`0${digits.padEnd(Math.max(kept, 0), '0').slice(0, Math.max(kept, 0))}`);
  const isRoundedUp = kept >= 0 && (digits[kept] ?? '0') >= '5';
  const size = isRoundedUp ? units + 1n : units;
  return inRange(isNegative ? -size : size);
}

function double(value: unknown): Cell | undefined {
  if (typeof value === 'number') return isUsable(value) ? value + 0 : undefined;
  const written = numberText(value);
  if (written === undefined || !NUMBER.test(written)) return undefined;
  const number = Number(written);
  return isUsable(number) ? number + 0 : undefined;
}

/** Rejects infinities and the extreme values. */
const isUsable = (value: number): boolean => Math.abs(value) < Number.MAX_VALUE;

function boolean(value: unknown): Cell | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value !== 'string') return undefined;
  const word = value.trim().toLowerCase();
  return word === 'true' ? 1 : word === 'false' ? 0 : undefined;
}

function datetime(value: unknown): Cell | undefined {
  return typeof value === 'string' ? serialOf(value.trim()) : undefined;
}

/** PostgreSQL stores neither U+0000 nor unpaired surrogates, so both stores reject them. */
function text(value: unknown): Cell | undefined {
  if (typeof value !== 'string' || value.length > LONGEST_TEXT) return undefined;
  return value.isWellFormed() && !value.includes('\0') ? value : undefined;
}

const numberText = (value: unknown): string | undefined => (typeof value === 'string' ? value.trim() : undefined);

const EXPECTED: Readonly<Record<ColumnType, string>> = {
  int64: 'a whole number between -9223372036854775807 and 9223372036854775806',
  decimal: 'a number between -922337203685477.5806 and 922337203685477.5806',
  double: 'a finite number within the range of a double',
  boolean: 'true or false',
  datetime: 'a date from 1899-12-30 to 9999-12-31, such as 2024-01-05T13:04:09Z or 1/5/2024 1:04 PM',
  text: `text of at most ${LONGEST_TEXT} characters without U+0000 and unpaired surrogates`,
};

/** The message for a value that `CONVERT` rejected. */
export function mistakeOf(type: ColumnType, value: unknown): string {
  const shown = shownValue(value);
  const sample = shown.length > 80 ? `${shown.slice(0, 80).toWellFormed()}…` : shown.toWellFormed();
  return `expected ${EXPECTED[type]}, got ${sample}`;
}

/** JSON has no infinities, so a number too large for a double would be shown as null. */
function shownValue(value: unknown): string {
  if (value instanceof LongNumber) return value.source;
  return typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
}
