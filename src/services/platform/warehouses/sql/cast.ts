import { bytesOfText, castText } from './format.ts';
import { problems } from './problem.ts';
import {
  asDecimal,
  decimal,
  fits,
  isFloating,
  isInteger,
  isNested,
  isNumeric,
  isTime,
  type SqlType,
  type SqlValue,
  typeText,
} from './types.ts';

const DAY_MS = 86_400_000;
const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
const TIME =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,9}))?)?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?$/;
const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;
const FLOAT = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?[dfDF]?\s*$/;

export type Cast = (value: Exclude<SqlValue, null>) => SqlValue;

const power = (digits: number): bigint => 10n ** BigInt(digits);

/** Converts the digits to another scale; halves are rounded away from zero. */
export function rescaled(unscaled: bigint, from: number, to: number): bigint {
  if (to >= from) return unscaled * power(to - from);
  const divisor = power(from - to);
  const half = divisor / 2n;
  return unscaled < 0n ? -((-unscaled + half) / divisor) : (unscaled + half) / divisor;
}

/** Throws if a decimal has more digits than its type. */
export function checkedDecimal(unscaled: bigint, precision: number, scale: number): bigint {
  const most = power(precision);
  if (unscaled >= most || unscaled <= -most)
    throw problems.outOfRange(castText(unscaled, decimal(38, scale)), `DECIMAL(${precision},${scale})`);
  return unscaled;
}

/** The conversion from one type to another; undefined if there is none. */
export function castOf(from: SqlType, to: SqlType): Cast | undefined {
  if (isNested(from) || isNested(to) || from.kind === 'INTERVAL' || to.kind === 'INTERVAL')
    return from.kind === 'NULL' || typeText(from) === typeText(to) ? (value) => value : undefined;
  if (from.kind === to.kind && from.kind !== 'DECIMAL') return (value) => value;
  if (from.kind === 'NULL') return () => null;
  if (to.kind === 'STRING') return (value) => castText(value, from);
  if (from.kind === 'BINARY' || from.kind === 'VARIANT' || to.kind === 'VARIANT') return undefined;
  if (to.kind === 'BINARY') return from.kind === 'STRING' ? (value) => bytesOfText(String(value)) : undefined;
  if (to.kind === 'BOOLEAN') return toBoolean(from);
  if (isInteger(to)) return toInteger(from, to);
  if (isFloating(to)) return toFloat(from, to);
  if (to.kind === 'DECIMAL') return toDecimal(from, to.precision, to.scale, to);
  return isTime(to) ? toTime(from, to) : undefined;
}

function toBoolean(from: SqlType): Cast | undefined {
  if (isNumeric(from)) return (value) => Number(value) !== 0;
  if (from.kind !== 'STRING') return undefined;
  return (value) => {
    const word = String(value).trim().toLowerCase();
    if (['true', 't', 'yes', 'y', '1'].includes(word)) return true;
    if (['false', 'f', 'no', 'n', '0'].includes(word)) return false;
    throw problems.badCast(String(value), 'STRING', 'BOOLEAN');
  };
}

function toInteger(from: SqlType, to: SqlType): Cast | undefined {
  const checked = (value: bigint, shown: string): bigint => {
    if (!fits(value, to)) throw problems.outOfRange(shown, typeText(to));
    return value;
  };
  if (from.kind === 'BOOLEAN') return (value) => (value === true ? 1n : 0n);
  if (isInteger(from)) return (value) => checked(BigInt(value), String(value));
  if (from.kind === 'DECIMAL') return (value) => checked(BigInt(value) / power(from.scale), castText(value, from));
  if (isFloating(from))
    return (value) => {
      if (!Number.isFinite(value)) throw problems.outOfRange(castText(value, from), typeText(to));
      return checked(BigInt(Math.trunc(Number(value))), castText(value, from));
    };
  if (from.kind === 'TIMESTAMP') return (value) => checked(BigInt(Math.floor(Number(value) / 1000)), String(value));
  if (from.kind !== 'STRING') return undefined;
  return (value) => {
    const text = String(value).trim();
    if (!/^[+-]?\d{1,30}$/.test(text)) throw problems.badCast(String(value), 'STRING', typeText(to));
    const whole = BigInt(text);
    if (!fits(whole, to)) throw problems.badCast(String(value), 'STRING', typeText(to));
    return whole;
  };
}

function toFloat(from: SqlType, to: SqlType): Cast | undefined {
  const shaped = to.kind === 'FLOAT' ? Math.fround : (value: number) => value;
  if (from.kind === 'BOOLEAN') return (value) => (value === true ? 1 : 0);
  if (from.kind === 'DECIMAL') return (value) => shaped(Number(castText(value, from)));
  if (isNumeric(from)) return (value) => shaped(Number(value));
  if (from.kind === 'TIMESTAMP') return (value) => Number(value) / 1000;
  if (from.kind !== 'STRING') return undefined;
  return (value) => {
    const text = String(value).trim();
    const special = /^[+-]?(?:inf|infinity)$/i.exec(text);
    if (special) return text.startsWith('-') ? -Infinity : Infinity;
    if (/^nan$/i.test(text)) return Number.NaN;
    if (!FLOAT.test(text)) throw problems.badCast(String(value), 'STRING', typeText(to));
    return shaped(Number.parseFloat(text));
  };
}

function toDecimal(from: SqlType, precision: number, scale: number, to: SqlType): Cast | undefined {
  const shaped = (unscaled: bigint, own: number): bigint =>
    checkedDecimal(rescaled(unscaled, own, scale), precision, scale);
  if (from.kind === 'BOOLEAN') return (value) => shaped(value === true ? 1n : 0n, 0);
  if (isInteger(from) || from.kind === 'DECIMAL') return (value) => shaped(BigInt(value), asDecimal(from).scale);
  if (from.kind !== 'STRING' && !isFloating(from)) return undefined;
  return (value) => {
    const text = typeof value === 'number' ? String(value) : String(value).slice(0, 1000);
    const [whole, sign = '', before = '', after = '', exponent = '0'] = DECIMAL.exec(text.trim()) ?? [];
    if (whole === undefined || before + after === '') throw problems.badCast(text, typeText(from), typeText(to));
    const own = after.length - Number(exponent);
    if (Math.abs(own) > 400) throw problems.outOfRange(text, typeText(to));
    const unscaled = BigInt(`${sign === '-' ? '-' : ''}${before}${after}`);
    return own < 0 ? shaped(unscaled * power(-own), 0) : shaped(unscaled, own);
  };
}

function toTime(from: SqlType, to: SqlType): Cast | undefined {
  if (isTime(from)) {
    if (to.kind === 'DATE') return (value) => Math.floor(Number(value) / DAY_MS);
    return from.kind === 'DATE' ? (value) => Number(value) * DAY_MS : (value) => value;
  }
  if (from.kind !== 'STRING') return undefined;
  return (value) => {
    const read = to.kind === 'DATE' ? dateOf(String(value)) : timeOf(String(value));
    if (read === undefined) throw problems.badCast(String(value), 'STRING', typeText(to));
    return read;
  };
}

const civil = (year: number, month: number, day: number): number | undefined => {
  const ms = Date.UTC(year, month - 1, day);
  const back = new Date(ms);
  const isSame = back.getUTCFullYear() === year && back.getUTCMonth() === month - 1 && back.getUTCDate() === day;
  return isSame ? ms : undefined;
};

/** Maximum length of a written time, without surrounding blanks. */
const MOST_SIGNS_OF_A_TIME = 64;

function dateOf(sent: string): number | undefined {
  const text = sent.trim();
  if (text.length > MOST_SIGNS_OF_A_TIME) return undefined;
  const [whole, year, month, day] = DATE.exec(text) ?? [];
  if (whole === undefined) {
    const ms = timeOf(text);
    return ms === undefined ? undefined : Math.floor(ms / DAY_MS);
  }
  const ms = civil(Number(year), Number(month), Number(day));
  return ms === undefined ? undefined : ms / DAY_MS;
}

function timeOf(sent: string): number | undefined {
  const text = sent.trim();
  if (text.length > MOST_SIGNS_OF_A_TIME) return undefined;
  const [whole, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] =
    TIME.exec(text) ?? [];
  if (whole === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const date = civil(Number(year), Number(month), Number(day));
  if (date === undefined) return undefined;
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  const shift = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  const ms = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000;
  return date + ms + Number(fraction.padEnd(3, '0').slice(0, 3)) - shift;
}
