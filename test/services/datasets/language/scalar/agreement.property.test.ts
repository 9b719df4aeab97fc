import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import {
  compareVariants,
  convert,
  variantKey,
} from '../../../../../src/services/datasets/language/scalar/conversions.ts';
import { SCALAR_FUNCTIONS } from '../../../../../src/services/datasets/language/scalar/functions.ts';
import { call } from '../../../../../src/services/datasets/language/scalar/sql.ts';
import type { Operand, ScalarType } from '../../../../../src/services/datasets/language/scalar/types.ts';
import { type Argument, Evaluator, type Failed, show, type Value } from './evaluator.ts';
import { formats } from './formats-random.ts';
import { arguments_, doubles, readableTexts, variants } from './random.ts';

const RUNS = process.env.CLOUDJAR_SOAK === '1' ? 500 : 60;

const { any, text, number, small, date, boolean } = arguments_;
const optional = (arbitrary: fc.Arbitrary<Argument>): fc.Arbitrary<Argument> =>
  fc.oneof({ weight: 3, arbitrary }, { weight: 1, arbitrary: fc.constant(undefined) });
const words = (...names: string[]): fc.Arbitrary<Argument> => fc.constantFrom(...names).map((word) => ({ word }));
const readable: fc.Arbitrary<Argument> = fc.oneof(readableTexts, any);

/** The parameters of every function. */
const PARAMETERS: Readonly<Record<string, readonly fc.Arbitrary<Argument>[]>> = {
  LEFT: [text, optional(small)],
  RIGHT: [text, optional(small)],
  MID: [text, small, small],
  LEN: [text],
  UPPER: [text],
  LOWER: [text],
  TRIM: [text],
  CONCATENATE: [any, any],
  COMBINEVALUES: [text, any, any, any],
  REPLACE: [text, small, small, text],
  SUBSTITUTE: [text, text, text, optional(small)],
  FIND: [text, text, optional(small), optional(small)],
  SEARCH: [text, text, optional(small), optional(small)],
  EXACT: [text, text],
  CONTAINSSTRING: [text, text],
  CONTAINSSTRINGEXACT: [text, text],
  REPT: [text, small],
  FIXED: [number, optional(small), optional(boolean)],
  VALUE: [readable],
  UNICHAR: [fc.oneof(small, number, fc.bigInt({ min: 1n, max: 0x110001n }))],
  UNICODE: [text],
  FORMAT: [any, formats],
  ABS: [number],
  SIGN: [number],
  POWER: [number, number],
  EXP: [number],
  LOG: [number, optional(number)],
  SQRT: [number],
  LN: [number],
  LOG10: [number],
  ASIN: [number],
  ACOS: [number],
  SIN: [number],
  COS: [number],
  TAN: [number],
  ATAN: [number],
  EVEN: [number],
  ODD: [number],
  ISEVEN: [number],
  ISODD: [number],
  FACT: [fc.oneof(small, fc.bigInt({ min: 0n, max: 172n }))],
  GCD: [small, number, number],
  LCM: [small, number],
  PI: [],
  RADIANS: [number],
  DEGREES: [number],
  CURRENCY: [any],
  CONVERT: [any, words('INTEGER', 'DOUBLE', 'STRING', 'BOOLEAN', 'CURRENCY', 'DATETIME')],
  ROUND: [number, small],
  ROUNDUP: [number, small],
  ROUNDDOWN: [number, small],
  TRUNC: [number, optional(small)],
  CEILING: [number, fc.oneof(small, number)],
  FLOOR: [number, fc.oneof(small, number)],
  MROUND: [number, fc.oneof(small, number)],
  MOD: [number, fc.oneof(small, number)],
  QUOTIENT: [number, fc.oneof(small, number)],
  INT: [number],
  DATE: [fc.oneof(small, fc.bigInt({ min: 0n, max: 10_000n })), fc.oneof(small, number), fc.oneof(small, number)],
  TIME: [fc.oneof(small, number), fc.oneof(small, number), fc.bigInt({ min: 0n, max: 40_000n })],
  YEAR: [date],
  MONTH: [date],
  DAY: [date],
  QUARTER: [date],
  HOUR: [date],
  MINUTE: [date],
  SECOND: [date],
  WEEKDAY: [date, optional(small)],
  WEEKNUM: [date, optional(fc.oneof(small, fc.bigInt({ min: 10n, max: 22n })))],
  EDATE: [date, fc.oneof(small, number)],
  EOMONTH: [date, fc.oneof(small, number)],
  DATEDIFF: [date, date, words('SECOND', 'MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH', 'QUARTER', 'YEAR')],
  DATEVALUE: [readable],
  TIMEVALUE: [readable],
  YEARFRAC: [date, date, optional(small)],
  ISTEXT: [any],
  ISNONTEXT: [any],
  ISNUMBER: [any],
  ISLOGICAL: [any],
};

/** Both engines call the C library for these, which on another machine may be another one. */
const LAST_DIGIT_FREE = new Set(['POWER', 'EXP', 'LOG', 'LN', 'LOG10', 'ASIN', 'ACOS', 'SIN', 'COS', 'TAN', 'ATAN']);

function agree(a: Value | Failed, b: Value | Failed, exact: boolean): boolean {
  if (!exact && typeof a === 'number' && typeof b === 'number' && a !== b) {
    return Math.abs(a - b) <= 1e-13 * Math.max(Math.abs(a), Math.abs(b)) + Number.MIN_VALUE;
  }
  return show(a) === show(b);
}

describe('both engines agree', () => {
  const sqlite = new Evaluator('sqlite');
  const postgres = new Evaluator('postgres');
  beforeEach(async ({ skip }) => {
    await sqlite.open({ skip });
    await postgres.open({ skip });
  });
  afterAll(async () => {
    await sqlite.close();
    await postgres.close();
  });

  /** Fails with the first difference, made as small as it can be. */
  async function holds(
    parameters: readonly fc.Arbitrary<Argument>[],
    evaluate: (evaluator: Evaluator, args: readonly Argument[]) => Promise<Value | Failed>,
    exact = true,
  ): Promise<void> {
    await fc.assert(
      fc.asyncProperty(fc.tuple(...parameters), async (args) => {
        const [left, right] = [await evaluate(sqlite, args), await evaluate(postgres, args)];
        if (!agree(left, right, exact)) {
          throw new Error(`(${args.map(show).join(', ')}): SQLite ${show(left)}, PostgreSQL ${show(right)}`);
        }
      }),
      { numRuns: RUNS },
    );
  }

  test('every function has parameters here', () => {
    expect(Object.keys(PARAMETERS).sort()).toEqual([...SCALAR_FUNCTIONS.keys()].sort());
  });

  for (const [name, parameters] of Object.entries(PARAMETERS)) {
    test(`on ${name}`, () =>
      holds(parameters, (evaluator, args) => evaluator.call(name, ...args), !LAST_DIGIT_FREE.has(name)));
  }

  const operand = (each: Operand | string | undefined): Operand =>
    typeof each === 'object' ? each : { sql: 'NULL', type: 'blank' };

  for (const to of ['int', 'decimal', 'double', 'boolean', 'date', 'text', 'variant'] satisfies ScalarType[]) {
    test(`on conversions to ${to}`, () =>
      holds([any], (evaluator, args) =>
        evaluator.evaluate(args, ([each]) => {
          const converted = convert(operand(each), to, evaluator.engine);
          // Engines write doubles with different digits into variants; what is read from them is the same.
          return to === 'variant' ? convert(converted, 'double', evaluator.engine) : converted;
        }),
      ));
  }

  test('on the order of variants, and that equal ones have the same key', () =>
    holds([fc.oneof(variants, any), fc.oneof(variants, any)], async (evaluator, args) => {
      const order = await evaluator.evaluate(args, ([a, b]) => ({
        sql: compareVariants(operand(a), operand(b), evaluator.engine),
        type: 'int',
      }));
      const key = (index: number) =>
        evaluator.evaluate([args[index]], ([each]) => ({
          sql: variantKey(operand(each), evaluator.engine),
          type: 'text',
        }));
      return `${show(order)} ${show(await key(0))} ${show(await key(1))}`;
    }));

  const sized = fc.oneof(
    doubles,
    fc.constantFrom(0, Number.MAX_VALUE, -Number.MAX_VALUE, Number.MIN_VALUE, 2 ** 512, 2 ** -538),
  );
  const operands: fc.Arbitrary<Argument> = fc.oneof(sized, fc.constant({ blank: 'double' as const }));
  for (const name of ['add', 'subtract', 'divide']) {
    test(`on dax_${name}`, () =>
      holds([operands, operands], (evaluator, args) =>
        evaluator.evaluate(args, ([a, b]) => ({
          sql: call(evaluator.engine, name, operand(a).sql, operand(b).sql),
          type: 'double',
        })),
      ));
  }

  test('on products of doubles', () =>
    holds([operands, operands], (evaluator, args) =>
      evaluator.evaluate(args, (both) => {
        const [a, b] = both.map((each) => operand(each).sql);
        return {
          sql: evaluator.engine === 'sqlite' ? `(${a} * ${b})` : call('postgres', 'multiply', a!, b!),
          type: 'double',
        };
      }),
    ));
});
