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
import { type Argument, Evaluator, Failed, show, type Value } from './evaluator.ts';
import { PARAMETERS } from './parameters.ts';
import { arguments_, doubles, variants } from './random.ts';

const { any } = arguments_;
const RUNS = process.env.CLOUDJAR_SOAK === '1' ? 1000 : 30;

/** Both engines call the C library for these functions, which may be a different library on another machine. */
const LAST_DIGIT_FREE = new Set(['POWER', 'EXP', 'LOG', 'LN', 'LOG10', 'ASIN', 'ACOS', 'SIN', 'COS', 'TAN', 'ATAN']);

/**
 * If several arguments are invalid, either engine may report any of them. PostgreSQL skips the others if a constant BLANK determines the
 * result.
 */
function faultIsOpen(a: Value | Failed, b: Value | Failed, args: readonly Argument[]): boolean {
  const failed = [a, b].filter((each) => each instanceof Failed).length;
  const isBlank = (arg: Argument): boolean => arg === null || (typeof arg === 'object' && 'blank' in arg);
  return args.length > 1 && (failed === 2 || (failed === 1 && args.some(isBlank)));
}

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

  /** Fails with the first difference, shrunk to a minimal case. */
  async function holds(
    parameters: readonly fc.Arbitrary<Argument>[],
    evaluate: (evaluator: Evaluator, args: readonly Argument[]) => Promise<Value | Failed>,
    exact = true,
  ): Promise<void> {
    await fc.assert(
      fc.asyncProperty(fc.tuple(...parameters), async (args) => {
        const [left, right] = [await evaluate(sqlite, args), await evaluate(postgres, args)];
        if (!agree(left, right, exact) && !faultIsOpen(left, right, args)) {
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
          // The engines write doubles into variants with different digits; the parsed values are equal.
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
