import { zeroDivisor } from '../library/failures.ts';
import { bound, failure } from '../sql.ts';
import type { ScalarType } from '../types.ts';
import { type Arguments, type NumberType, numberType, row, type ScalarFunction } from './row.ts';

/** Functions whose result has the type of their number. If the number is BLANK, so is the result; other BLANK arguments count as zero. */

const typeOfFirst = ([first]: readonly ScalarType[]): NumberType => numberType(first);

/** An integer and a double give a double; a fixed decimal stays one. */
function typeOfBoth([first, second]: readonly ScalarType[]): NumberType {
  const a = numberType(first);
  const b = numberType(second);
  return a === 'int' ? b : a;
}

const rounding = (name: string, least: 1 | 2, library: string): ScalarFunction =>
  row(name, [least, 2], typeOfFirst, (args) => {
    const type = numberType(args.type(0));
    if (type === 'int' && !args.has(1)) return args.as(0, 'int');
    return args.call(`${library}_${type}`, args.as(0, type), args.whole(1));
  });

const multiple = (name: string): ScalarFunction =>
  row(name, [2, 2], typeOfBoth, (args) => {
    const type = typeOfBoth([args.type(0), args.type(1)]);
    return args.call(`${name.toLowerCase()}_${type}`, args.as(0, type), args.orZero(1, type));
  });

/**
 * Integers, and pairs of fixed decimals in ten-thousandths, are divided in plain SQL instead of a library function, because such
 * expressions are common in filters.
 */
function wholeDivision(
  name: string,
  args: Arguments,
  type: 'int' | 'decimal',
  body: (a: string, b: string) => string,
): string {
  return bound([args.as(0, type), args.orZero(1, type)], (a, b) => {
    const fails = failure(args.engine, zeroDivisor(name), b!, 'bigint');
    return `CASE WHEN ${a} IS NULL THEN NULL WHEN ${b} = 0 THEN ${fails} ELSE ${body(a!, b!)} END`;
  });
}

/** The result has the sign of the divisor. */
const remainder = (a: string, b: string): string =>
  `${a} % ${b} + CASE WHEN ${a} % ${b} <> 0 AND (${a} % ${b} < 0) <> (${b} < 0) THEN ${b} ELSE 0 END`;

const wholeType = (args: Arguments): NumberType => {
  const types = [numberType(args.type(0)), numberType(args.type(1))];
  return types.includes('double') ? 'double' : types.includes('decimal') ? 'decimal' : 'int';
};

export const ROUNDING_FUNCTIONS: readonly ScalarFunction[] = [
  rounding('ROUND', 2, 'round'),
  rounding('ROUNDUP', 2, 'roundup'),
  rounding('ROUNDDOWN', 2, 'rounddown'),
  rounding('TRUNC', 1, 'rounddown'),
  multiple('CEILING'),
  multiple('FLOOR'),
  multiple('MROUND'),
  row('MOD', [2, 2], typeOfBoth, (args) => {
    const type = typeOfBoth([args.type(0), args.type(1)]);
    if (type !== 'double') return wholeDivision('MOD', args, type, remainder);
    return args.call('mod_double', args.double(0), args.orZero(1, 'double'));
  }),
  row('QUOTIENT', [2, 2], 'int', (args) => {
    const type = wholeType(args);
    if (type !== 'double') return wholeDivision('QUOTIENT', args, type, (a, b) => `${a} / ${b}`);
    return args.call('quotient_double', args.double(0), args.orZero(1, 'double'));
  }),
  row('INT', [1, 1], 'int', (args) => {
    const type = numberType(args.type(0));
    if (type === 'int') return args.as(0, 'int');
    if (type === 'double') return args.call('int', args.double(0));
    return bound([args.as(0, type)], (units) => `${units} / 10000 - CASE WHEN ${units} % 10000 < 0 THEN 1 ELSE 0 END`);
  }),
];
