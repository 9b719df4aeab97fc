import { isoTime } from '../../../../kernel/time/index.ts';
import { intervalText } from './intervals.ts';
import { isJson, type SqlType, type SqlValue } from './types.ts';

const DAY_MS = 86_400_000;

/** A number in Java's notation: `1.0`, `1.6777216E7`, `NaN`. */
export function floatText(value: number, isShort: boolean): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const [mantissa = '', exponent = '0'] = (isShort ? shortest(value) : value).toExponential().split('e');
  const power = Number(exponent);
  const digits = mantissa.replace(/[-.]/g, '');
  const sign = value < 0 ? '-' : '';
  if (power < -3 || power >= 7) return `${sign}${digits[0]}.${digits.slice(1) || '0'}E${power}`;
  if (power < 0) return `${sign}0.${'0'.repeat(-power - 1)}${digits}`;
  const padded = digits.padEnd(power + 1, '0');
  return `${sign}${padded.slice(0, power + 1)}.${padded.slice(power + 1) || '0'}`;
}

/** The number with the fewest digits that equals this one in single precision. */
function shortest(value: number): number {
  for (let digits = 1; digits < 9; digits++) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.fround(rounded) === value) return rounded;
  }
  return value;
}

export function decimalText(unscaled: bigint, scale: number): string {
  if (scale === 0) return String(unscaled);
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  return `${unscaled < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Without a zone, and without a zero fraction. */
const plainTime = (ms: number): string =>
  isoTime(ms)
    .slice(0, -1)
    .replace('T', ' ')
    .replace(/\.000$/, '')
    .replace(/(\.\d*[1-9])0+$/, '$1');

/** The bytes of a text, one character per byte. */
export const bytesOfText = (text: string): string => Buffer.from(text).toString('latin1');

const bytesOf = (value: string): Buffer => Buffer.from(value, 'latin1');

/** The text of a variant if it is a text, otherwise its JSON. */
const variantText = (json: string): string => (json.startsWith('"') ? String(JSON.parse(json)) : json);

/** The text of a value in a cast to STRING. */
export function castText(value: Exclude<SqlValue, null>, type: SqlType): string {
  switch (type.kind) {
    case 'DECIMAL':
      return decimalText(value as bigint, type.scale);
    case 'FLOAT':
    case 'DOUBLE':
      return floatText(value as number, type.kind === 'FLOAT');
    case 'DATE':
      return isoTime((value as number) * DAY_MS).replace(/T.*/, '');
    case 'TIMESTAMP':
    case 'TIMESTAMP_NTZ':
      return plainTime(value as number);
    case 'BINARY':
      return bytesOf(String(value)).toString();
    case 'VARIANT':
      return variantText(String(value));
    default:
      return String(value);
  }
}

/** The text of a value in a result. */
export function cellText(value: SqlValue, type: SqlType): string | null {
  if (value === null) return null;
  if (type.kind === 'TIMESTAMP') return isoTime(value as number);
  if (type.kind === 'TIMESTAMP_NTZ') return isoTime(value as number).slice(0, -1);
  if (type.kind === 'BINARY') return bytesOf(String(value)).toString('base64');
  if (type.kind === 'INTERVAL') return intervalText(BigInt(value), type);
  return isJson(type) ? String(value) : castText(value, type);
}
