import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cents, percentage, percentOf, share, sum, times } from '../../../../src/services/business/rules/money.ts';

describe('amounts are computed to the cent', () => {
  it.each([
    [1.005, 1.01],
    [-1.005, -1.01],
    [2.675, 2.68],
    [0.1 + 0.2, 0.3],
    [1e-7, 0],
    [-0.001, 0],
    [123456789012.345, 123456789012.35],
  ])('%d is %d', (amount, expected) => {
    expect(cents(amount)).toBe(expected);
    expect(Object.is(cents(amount), -0)).toBe(false);
  });

  it.each([
    [[1.005, 100], 100.5],
    [[3, 33.333], 100],
    [[0.1, 0.2], 0.02],
    [[-2, 19.99], -39.98],
    [[1e-7, 1e7], 1],
    [[1e21, 1e-21], 1],
  ])('the product of %j is %d', (factors, expected) => {
    expect(times(...factors)).toBe(expected);
  });

  it.each([
    [99.99, 20, 20],
    [0.05, 10, 0.01],
    [-0.05, 10, -0.01],
    [100, 8.25, 8.25],
  ])('of %d, %d percent are %d', (amount, percent, expected) => {
    expect(percentOf(amount, percent)).toBe(expected);
  });

  it('is exact however many there are', () => {
    expect(sum(...Array<number>(1000).fill(0.1))).toBe(100);
    expect(sum()).toBe(0);
  });

  it('divides without a remainder being lost, and nothing by nothing', () => {
    expect(share(100, 1, 3)).toBe(33.33);
    expect(share(100, 2, 3)).toBe(66.67);
    expect(share(100, 1, 0)).toBe(0);
    expect(percentage(1, 3)).toBe(33.33333);
    expect(percentage(1, 0)).toBe(0);
  });

  it('refuses amounts without cents', () => {
    expect(() => times(1e14, 1000)).toThrow('too large');
    expect(() => cents(Number.POSITIVE_INFINITY)).toThrow('too large');
  });

  it('agrees with whole numbers of cents', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1e9, max: 1e9 }), { maxLength: 50 }), (whole) => {
        const total = whole.reduce((left, right) => left + right, 0);
        expect(sum(...whole.map((each) => each / 100))).toBe(total / 100 + 0);
      }),
    );
  });
});
