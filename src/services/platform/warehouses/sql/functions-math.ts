import { arithmetic } from './arithmetic.ts';
import { alike, type Bound, converted, type Row } from './bound.ts';
import { rescaled } from './cast.ts';
import { checkOrdered, compare } from './compare.ts';
import type { Rule, Special } from './functions.ts';
import { boundedDecimal, isFloating, isInteger, type SqlValue, simple } from './types.ts';

const DOUBLE = simple('DOUBLE');
const LONG = simple('LONG');

const onNumber = (work: (value: number) => number): Rule => ({
  of([arg]) {
    const value = converted(arg as Bound, DOUBLE);
    return { type: DOUBLE, of: (row) => mapped(value.of(row), (each) => work(Number(each))) };
  },
  least: 1,
  most: 1,
});

const mapped = (value: SqlValue, work: (value: Exclude<SqlValue, null>) => SqlValue): SqlValue =>
  value === null ? null : work(value);

/** The largest or the smallest of the arguments that are not null. */
const extreme = (sign: 1 | -1): Rule => ({
  of(args, _session, name) {
    const values = alike(args, name);
    for (const { type } of values) checkOrdered(type, name);
    const of = (row: Row): SqlValue => {
      let found: SqlValue = null;
      for (const each of values) {
        const value = each.of(row);
        if (value !== null && (found === null || compare(value, found) * sign > 0)) found = value;
      }
      return found;
    };
    return { type: (values[0] as Bound).type, of };
  },
  least: 2,
  most: 1000,
});

const abs: Special = ([arg]) => {
  const value = arg as Bound;
  const isFine = value.type.kind === 'DECIMAL' || isInteger(value.type) || isFloating(value.type);
  const number = isFine ? value : converted(value, DOUBLE);
  const of = (row: Row): SqlValue =>
    mapped(number.of(row), (each) => (typeof each === 'bigint' ? (each < 0n ? -each : each) : Math.abs(Number(each))));
  return { type: number.type, of };
};

/** Rounds to a whole number, up or down. */
const rounded = (down: boolean): Special => {
  return ([arg]) => {
    const value = arg as Bound;
    const { type } = value;
    if (isInteger(type)) return converted(value, LONG);
    if (type.kind !== 'DECIMAL') {
      const number = converted(value, DOUBLE);
      const work = (each: Exclude<SqlValue, null>) => BigInt(down ? Math.floor(Number(each)) : Math.ceil(Number(each)));
      return { type: LONG, of: (row) => mapped(number.of(row), work) };
    }
    const unit = 10n ** BigInt(type.scale);
    const work = (each: Exclude<SqlValue, null>): bigint => {
      const digits = BigInt(each);
      const rest = ((digits % unit) + unit) % unit;
      return (digits - rest) / unit + (rest > 0n && !down ? 1n : 0n);
    };
    return { type: boundedDecimal(type.precision - type.scale + 1, 0), of: (row) => mapped(value.of(row), work) };
  };
};

/** Halves are rounded away from zero. */
const round: Special = ([arg, places]) => {
  const value = arg as Bound;
  const { type } = value;
  const wanted = places ? Number(converted(places, simple('INT')).of([])) : 0;
  if (isInteger(type) && wanted >= 0) return value;
  if (type.kind === 'DECIMAL' && wanted >= 0) {
    const scale = Math.min(wanted, type.scale);
    const work = (each: Exclude<SqlValue, null>): bigint => rescaled(BigInt(each), type.scale, scale);
    return {
      type: boundedDecimal(type.precision - type.scale + scale + 1, scale),
      of: (row) => mapped(value.of(row), work),
    };
  }
  const number = converted(value, DOUBLE);
  const work = (each: Exclude<SqlValue, null>): number => {
    const shifted = Number(`${Math.abs(Number(each))}e${wanted}`);
    const back = Number(`${Math.round(shifted)}e${-wanted}`);
    return Number.isNaN(back) ? Number(each) : Math.sign(Number(each)) * back;
  };
  return { type: DOUBLE, of: (row) => mapped(number.of(row), work) };
};

const remainder: Special = ([left, right]) => arithmetic('%', left as Bound, right as Bound);

const power: Special = (args) => {
  const [base, exponent] = args.map((arg) => converted(arg, DOUBLE)) as [Bound, Bound];
  const of = (row: Row): SqlValue =>
    mapped(base.of(row), (x) => mapped(exponent.of(row), (y) => Number(x) ** Number(y)));
  return { type: DOUBLE, of };
};

export const MATH: Readonly<Record<string, Rule>> = {
  abs: { of: abs, least: 1, most: 1 },
  ceil: { of: rounded(false), least: 1, most: 1 },
  ceiling: { of: rounded(false), least: 1, most: 1 },
  floor: { of: rounded(true), least: 1, most: 1 },
  round: { of: round, least: 1, most: 2 },
  mod: { of: remainder, least: 2, most: 2 },
  power: { of: power, least: 2, most: 2 },
  pow: { of: power, least: 2, most: 2 },
  greatest: extreme(1),
  least: extreme(-1),
  sqrt: onNumber(Math.sqrt),
  exp: onNumber(Math.exp),
  ln: onNumber(Math.log),
  log10: onNumber(Math.log10),
  sign: onNumber(Math.sign),
};
