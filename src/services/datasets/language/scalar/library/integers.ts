import type { Cell } from '../../../../../kernel/store/index.ts';
import { fail, outOfRange } from './failures.ts';
import { wholeOfIntegral, wholeWithin } from './number-text.ts';
import { failing, inlined, type LibraryPart, number, procedure, quoted, strict, whole } from './part.ts';

/** Functions whose results are always integers. */

const LARGEST_FACTORIAL = 170;

function factorial(value: number): number {
  const count = Math.trunc(value);
  if (!(count >= 0 && count <= LARGEST_FACTORIAL)) fail(outOfRange('FACT'));
  let product = 1n;
  for (let factor = 2; factor <= count; factor++) product *= BigInt(factor);
  return Number(product);
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

const ofNaturals = (name: string, of: (a: bigint, b: bigint) => bigint): ((...values: readonly Cell[]) => Cell) =>
  strict.two(whole, whole, (a, b) => (a < 0n || b < 0n ? fail(outOfRange(name)) : wholeWithin(of(a, b))));

/** Rounds away from zero to an even (0) or odd (1) number. Doubles beyond 2^53 are all even, so the last step uses integers. */
function awayTo(value: number, remainder: 0n | 1n): bigint {
  const away = wholeOfIntegral(value < 0 ? Math.floor(value) : Math.ceil(value));
  if ((away & 1n) === remainder) return away;
  return wholeWithin(value < 0 ? away - 1n : away + 1n);
}

const awayOnPostgres = (name: string, remainder: 0n | 1n): string =>
  procedure(
    name,
    { parameters: 'value float8', returns: 'bigint', fails: true },
    `DECLARE away bigint := cloudjar.dax_whole(CASE WHEN value < 0 THEN floor(value) ELSE ceil(value) END);
BEGIN
  IF away & 1 = ${remainder} THEN RETURN away; END IF;
  RETURN cloudjar.dax_integral(away::numeric + CASE WHEN value < 0 THEN -1 ELSE 1 END);
END`,
  );

export const INTEGERS: LibraryPart = {
  functions: {
    dax_fact: strict.one(number, factorial),
    dax_gcd: ofNaturals('GCD', greatestDivisor),
    dax_lcm: ofNaturals('LCM', (a, b) => (a === 0n || b === 0n ? 0n : (a / greatestDivisor(a, b)) * b)),
    dax_even: strict.one(number, (value) => awayTo(value, 0n)),
    dax_odd: strict.one(number, (value) => awayTo(value, 1n)),
  },
  postgres: [
    inlined(
      'fact',
      { parameters: 'value float8', returns: 'float8', fails: true },
      `CASE WHEN trunc(value) BETWEEN 0 AND ${LARGEST_FACTORIAL} THEN cloudjar.dax_double(factorial(trunc(value)::bigint))
        WHEN value IS NOT NULL THEN ${failing(outOfRange('FACT'), 'value', 'float8')} END`,
    ),
    procedure(
      'gcd',
      { parameters: 'a bigint, b bigint', returns: 'bigint', fails: true },
      `BEGIN
  IF a < 0 OR b < 0 THEN PERFORM cloudjar.dax_fail(${quoted(outOfRange('GCD'))}, ''); END IF;
  RETURN gcd(a, b);
END`,
    ),
    procedure(
      'lcm',
      { parameters: 'a bigint, b bigint', returns: 'bigint', fails: true },
      `BEGIN
  IF a < 0 OR b < 0 THEN PERFORM cloudjar.dax_fail(${quoted(outOfRange('LCM'))}, ''); END IF;
  RETURN CASE WHEN a = 0 OR b = 0 THEN 0 ELSE cloudjar.dax_integral((a / gcd(a, b))::numeric * b) END;
END`,
    ),
    awayOnPostgres('even', 0n),
    awayOnPostgres('odd', 1n),
    inlined(
      'is_even',
      { parameters: 'value float8', returns: 'bigint' },
      '(trunc(value) = 2 * trunc(trunc(value) / 2))::int::bigint',
    ),
  ],
};
