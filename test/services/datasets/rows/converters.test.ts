import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/kernel/http/index.ts';
import { compile, convertExactly } from '../../../../src/services/datasets/rows/converters.ts';

const converter = compile([
  { name: 'a', type: 'int64' },
  { name: 'b', type: 'text' },
  { name: '__proto__', type: 'boolean' },
]);

const convert = (rows: readonly unknown[]) => convertExactly(converter, rows, () => rows);

const refusal = (rows: readonly unknown[]): unknown => {
  try {
    convert(rows);
  } catch (error) {
    return error instanceof ApiError ? error.details : error;
  }
  throw new Error('nothing was refused');
};

describe('rows', () => {
  it('have their values at the places of their columns, whatever the order of the names, and blanks for the rest', () => {
    const sent = JSON.parse('[{"a":1,"b":"x"},{"b":"y","a":2},{},{"b":null},{"__proto__":true},{"b":"z","a":3}]');
    expect(convert(sent)).toEqual([
      [1, 'x', null],
      [2, 'y', null],
      [null, null, null],
      [null, null, null],
      [null, null, 1],
      [3, 'z', null],
    ]);
  });

  it('are converted alike in any order of names', () => {
    const row = fc.record({ a: fc.integer(), b: fc.string({ unit: 'grapheme-ascii' }) }, { requiredKeys: [] });
    const shuffled = fc.tuple(row, fc.boolean()).map(([{ a, b }, isTurned]) => {
      const names = Object.entries({ a, b }).filter(([, value]) => value !== undefined);
      return Object.fromEntries(isTurned ? names.reverse() : names);
    });
    fc.assert(
      fc.property(fc.array(shuffled), (rows) => {
        expect(convert(rows)).toEqual(rows.map(({ a, b }) => [a ?? null, b ?? null, null]));
      }),
    );
  });

  it.each([
    [[{ a: 1 }, { c: 1 }], 'rows[1].c', "Row 2: the table has no column 'c'."],
    [[{ A: 1 }], 'rows[0].A', "Row 1: the table has no column 'A'. Names are case-sensitive: it is 'a'."],
    [[{ a: 1 }, { a: 'x' }], 'rows[1].a', "Row 2, column 'a' (Int64): expected a whole number"],
    [[{ a: 1 }, 5], 'rows[1]', 'Row 2 must be an object.'],
    [[null], 'rows[0]', 'Row 1 must be an object.'],
    [[[1]], 'rows[0]', 'Row 1 must be an object.'],
  ])('%j are refused with row and column', (rows, target, message) => {
    expect(refusal(rows)).toEqual([{ code: 'BadRequest', target, message: expect.stringContaining(message) }]);
  });
});
