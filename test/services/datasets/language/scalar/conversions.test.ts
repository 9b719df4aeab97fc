import { expect, test } from 'vitest';
import {
  compareVariants,
  convert,
  variantKey,
} from '../../../../../src/services/datasets/language/scalar/conversions.ts';
import { call } from '../../../../../src/services/datasets/language/scalar/sql.ts';
import type { Operand, ScalarType } from '../../../../../src/services/datasets/language/scalar/types.ts';
import { cannotConvert, day, dec, fails, TOO_LARGE, variant } from './cases/case.ts';
import { type Argument, type Failed, onBothEngines, show, type Value } from './evaluator.ts';

type Conversion = readonly [value: Value, to: ScalarType, expected: Value | Failed];

const LARGE = 9_007_199_254_740_993n;
const TOO_LARGE_DECIMAL = fails('the result is too large for a fixed decimal number');

const CONVERSIONS: readonly Conversion[] = [
  ['22', 'double', 22], // 16
  ['x', 'double', cannotConvert('x', 'Number')], // 23
  [true, 'double', 1], // 17
  [true, 'int', 1n],
  [true, 'decimal', dec('1')],
  [3n, 'double', 3],
  [LARGE, 'double', 9_007_199_254_740_992],
  [dec('12.5'), 'double', 12.5],
  [day(2024, 1, 5), 'double', 45_296], // 19
  [45_296n, 'date', day(2024, 1, 5)],
  [1.5, 'date', { date: 1.5 }],
  ['2024-01-05', 'date', day(2024, 1, 5)],
  ['1/5/2024 1:04:09 PM', 'date', day(2024, 1, 5, 13, 4, 9)],
  ['nope', 'date', cannotConvert('nope', 'Date')],
  [2.5, 'int', 3n],
  [-2.5, 'int', -3n],
  [2.4, 'int', 2n],
  [1e19, 'int', TOO_LARGE],
  ['12.5', 'int', 13n],
  [String(LARGE), 'int', LARGE],
  ['99999999999999999999', 'int', TOO_LARGE],
  [dec('2.5'), 'int', 3n],
  [dec('-2.4999'), 'int', -2n],
  [7n, 'decimal', dec('7')],
  [1e14, 'decimal', dec('100000000000000')],
  [922_337_203_685_478n, 'decimal', TOO_LARGE_DECIMAL],
  [Number.POSITIVE_INFINITY, 'decimal', TOO_LARGE_DECIMAL],
  [0.000_05, 'decimal', dec('0.0001')],
  [0n, 'boolean', false],
  [-2n, 'boolean', true],
  [0.5, 'boolean', true],
  ['true', 'boolean', true],
  ['False', 'boolean', false],
  ['1', 'boolean', cannotConvert('1', 'True/False')],
  [12n, 'text', '12'],
  [LARGE, 'text', '9007199254740993'],
  [0.5, 'text', '0.5'],
  [0.1 + 0.2, 'text', '0.3'],
  [1e15, 'text', '1E+15'],
  [123_456_789_012_345, 'text', '123456789012345'],
  [1.5e-5, 'text', '1.5E-05'],
  [0.0001, 'text', '0.0001'],
  [-1.25e300, 'text', '-1.25E+300'],
  [-0, 'text', '0'],
  [Number.NEGATIVE_INFINITY, 'text', '-Infinity'],
  [dec('12.5'), 'text', '12.5'],
  [dec('-0.0001'), 'text', '-0.0001'],
  [dec('3'), 'text', '3'],
  [true, 'text', 'True'],
  [false, 'text', 'False'],
  [day(2024, 1, 5), 'text', '1/5/2024'],
  [day(2024, 1, 5, 13, 4, 9), 'text', '1/5/2024 1:04:09 PM'],
  [day(2024, 12, 25, 0, 0, 1), 'text', '12/25/2024 12:00:01 AM'],
  [{ date: 0.5 }, 'text', '12/30/1899 12:00:00 PM'],
  [12n, 'variant', variant('i12')],
  [0.5, 'variant', variant('r0.5')],
  [dec('12.5'), 'variant', variant('c125000')],
  [{ date: 45_296.5 }, 'variant', variant('d45296.5')],
  [true, 'variant', variant('b1')],
  ['Text', 'variant', variant('sText')],
  ['', 'variant', variant('s')],
  [variant('i12'), 'text', '12'],
  [variant('r0.5'), 'text', '0.5'],
  [variant('c125000'), 'text', '12.5'],
  [variant('d45296.5'), 'text', '1/5/2024 12:00:00 PM'],
  [variant('b0'), 'text', 'False'],
  [variant('sText'), 'text', 'Text'],
  [variant('s'), 'text', ''],
  [variant('s12'), 'double', 12],
  [variant('sx'), 'double', cannotConvert('x', 'Number')],
  [variant('c125000'), 'double', 12.5],
  [variant('b1'), 'int', 1n],
  [variant('c125000'), 'int', 13n],
  [variant(`i${LARGE}`), 'int', LARGE],
  [variant('r0.00005'), 'decimal', dec('0.0001')],
  [variant('i3'), 'decimal', dec('3')],
  [variant('d2'), 'boolean', true],
  [variant('sTRUE'), 'boolean', true],
  [variant('i45296'), 'date', day(2024, 1, 5)],
];

const TYPES: readonly ScalarType[] = ['int', 'decimal', 'double', 'boolean', 'date', 'text', 'variant'];

/** Numbers and dates, then texts, then booleans; values in the same group are equal. */
const ORDER: readonly (readonly string[])[] = [
  ['r-Infinity'],
  ['i-9007199254740993'],
  ['i-9007199254740992'],
  ['r-1.5', 'c-15000'],
  ['i0', 'r0', 'c0', 'd0'],
  ['i2', 'r2', 'c20000', 'd2'],
  ['d45296.5'],
  ['i9007199254740993'],
  ['rInfinity'],
  ['s'],
  ['s1'],
  ['sa', 'sA', 'sa  '],
  ['sb'],
  ['sé'],
  ['s\u{1F600}'],
  ['b0'],
  ['b1'],
];

const operand = (each: Operand | string | undefined): Operand =>
  typeof each === 'object' ? each : { sql: 'NULL', type: 'blank' };

onBothEngines('conversions', (evaluator) => {
  const converted = (value: Value, to: ScalarType) =>
    evaluator.evaluate([value], ([each]) => convert(operand(each), to, evaluator.engine));

  for (const [value, to, expected] of CONVERSIONS) {
    test(`${show(value)} as ${to} is ${show(expected)}`, async () => {
      expect(show(await converted(value, to))).toBe(show(expected));
    });
  }

  test('BLANK stays BLANK', async () => {
    for (const to of TYPES) {
      expect(await converted(null, to)).toBe(null);
      for (const from of TYPES) expect(await converted({ blank: from }, to)).toBe(null);
    }
  });

  test('a conversion that every row of a table may go through is plain SQL', () => {
    const { engine } = evaluator;
    const plain = (type: ScalarType, to: ScalarType) => convert({ sql: 't.c1', type }, to, engine).sql;
    expect(plain('int', 'double')).toBe(engine === 'sqlite' ? 'CAST(t.c1 AS REAL)' : '(t.c1)::float8');
    expect(plain('decimal', 'double')).toBe(engine === 'sqlite' ? '(t.c1 / 10000.0)' : '((t.c1)::float8 / 10000)');
    expect(plain('date', 'double')).toBe('t.c1');
    expect(plain('boolean', 'int')).toBe('t.c1');
  });
});

onBothEngines('variants', (evaluator) => {
  const compared = (a: Argument, b: Argument) =>
    evaluator.evaluate([a, b], (both) => ({
      sql: compareVariants(operand(both[0]), operand(both[1]), evaluator.engine),
      type: 'int',
    }));

  test('are ordered by rank and value', async () => {
    for (const [i, group] of ORDER.entries()) {
      for (const [j, other] of ORDER.entries()) {
        if (Math.abs(i - j) > 3 && i % 4 !== 0) continue;
        const order = await compared(variant(group[0]!), variant(other.at(-1)!));
        expect(`${group[0]} ${order} ${other.at(-1)}`).toBe(`${group[0]} ${Math.sign(i - j)} ${other.at(-1)}`);
      }
    }
  });

  test('that are equal have the same key, others do not', async () => {
    const keys = new Map<string, number>();
    for (const [i, group] of ORDER.entries()) {
      for (const each of group) {
        const key = await evaluator.evaluate([variant(each)], ([value]) => ({
          sql: variantKey(operand(value), evaluator.engine),
          type: 'text',
        }));
        expect([each, keys.get(show(key)) ?? i]).toEqual([each, i]);
        keys.set(show(key), i);
      }
    }
    expect(keys.size).toBe(ORDER.length);
  });

  test('BLANK is the zero of whatever it is compared with', async () => {
    const blank: Value = { blank: 'variant' };
    for (const zero of ['i0', 'r0', 'd0', 's', 'b0']) expect(await compared(blank, variant(zero))).toBe(0n);
    expect(await compared(blank, blank)).toBe(0n);
    expect(await compared(null, variant('i-1'))).toBe(1n);
    expect(await compared(variant('r0.5'), null)).toBe(1n);
    expect(await compared(blank, variant('sa'))).toBe(-1n);
    expect(await compared(variant('b1'), blank)).toBe(1n);
  });
});

onBothEngines('operators', (evaluator) => {
  const BLANK: Value = { blank: 'double' };
  const INFINITE = Number.POSITIVE_INFINITY;
  const MOST = Number.MAX_VALUE;
  const CASES: readonly (readonly [name: string, a: Value, b: Value, expected: Value])[] = [
    ['add', BLANK, BLANK, null], // 24
    ['add', BLANK, 5, 5],
    ['add', 5, BLANK, 5],
    ['add', 1.5, 2, 3.5],
    ['add', MOST, MOST, INFINITE],
    ['add', MOST, 1, MOST],
    ['add', INFINITE, -INFINITE, null],
    ['add', MOST, 5e-324, MOST],
    ['subtract', BLANK, 5, -5],
    ['subtract', 5, BLANK, 5],
    ['subtract', BLANK, BLANK, null],
    ['subtract', -MOST, MOST, -INFINITE],
    ['divide', BLANK, 5, null], // 25
    ['divide', BLANK, BLANK, null],
    ['divide', BLANK, 0, null],
    ['divide', 5, BLANK, INFINITE], // 26
    ['divide', 5, 0, INFINITE],
    ['divide', -5, 0, -INFINITE],
    ['divide', 5, -0, INFINITE],
    ['divide', 0, BLANK, null],
    ['divide', 0, 0, null],
    ['divide', 1, 2, 0.5], // 18
    ['divide', MOST, 1e-300, INFINITE],
    ['divide', 1e-300, MOST, 0],
    ['divide', 5, INFINITE, 0],
    ['divide', INFINITE, INFINITE, null],
    ['power', 2, 3, 8],
    ['power', BLANK, 2, null],
    ['power', 2, BLANK, 1],
    ['power', 0, -1, INFINITE],
    ['power', -8, 0.5, null],
    ['power', 10, 999, INFINITE],
    ['power', 10, -999, 0],
  ];
  for (const [name, a, b, expected] of CASES) {
    test(`${name} of ${show(a)} and ${show(b)} is ${show(expected)}`, async () => {
      const result = await evaluator.evaluate([a, b], ([x, y]) => ({
        sql: call(evaluator.engine, name, operand(x).sql, operand(y).sql),
        type: 'double',
      }));
      expect(show(result)).toBe(show(expected));
    });
  }

  test('a value that cannot be converted fails only the rows that use it', async () => {
    const cast = evaluator.engine === 'sqlite' ? (sql: string) => sql : (sql: string) => `(${sql})::bigint`;
    const parameter = evaluator.engine === 'sqlite' ? '?1' : '$1::text';
    const branch = `CASE WHEN n > 2 THEN ${call(evaluator.engine, 'number', parameter)} ELSE n END`;
    const rows = (last: number) => `(SELECT ${cast('1')} AS n UNION ALL SELECT ${cast(String(last))}) AS numbers`;
    expect(await evaluator.sql(`SELECT sum(${branch}) FROM ${rows(2)}`, 'double', ['x'])).toBe(3);
    expect(show((await evaluator.sql(`SELECT sum(${branch}) FROM ${rows(3)}`, 'double', ['x'])) as Failed)).toBe(
      show(cannotConvert('x', 'Number')),
    );
  });
});
