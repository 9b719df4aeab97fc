import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentAmounts, type LineInput } from '../../../../src/services/business/rules/documents/amounts.ts';
import { sum } from '../../../../src/services/business/rules/money.ts';

const line = (quantity: number, price: number, taxPercent = 20, discountAmount = 0): LineInput => ({
  quantity,
  price,
  taxPercent,
  discountAmount,
});

describe('the amounts of a document', () => {
  it.each([
    ['one line', [line(2, 50)], 0, false, { excluding: 100, tax: 20, including: 120 }],
    ['no lines', [], 0, false, { excluding: 0, tax: 0, including: 0 }],
    ['no tax', [line(3, 33.33, 0)], 0, false, { excluding: 99.99, tax: 0, including: 99.99 }],
    [
      'tax rounded line by line',
      [line(1, 0.03), line(1, 0.03), line(1, 0.03)],
      0,
      false,
      { excluding: 0.09, tax: 0.03, including: 0.12 },
    ],
    ['prices that include tax', [line(1, 120)], 0, true, { excluding: 100, tax: 20, including: 120 }],
    ['prices that include tax, unevenly', [line(1, 10)], 0, true, { excluding: 8.33, tax: 1.67, including: 10 }],
    ['a discount on a line', [line(10, 10, 20, 15)], 0, false, { excluding: 85, tax: 17, including: 102 }],
    ['a discount on the document', [line(1, 60), line(1, 40)], 10, false, { excluding: 90, tax: 18, including: 108 }],
    ['more discount than there is', [line(1, 60)], 100, false, { excluding: 0, tax: 0, including: 0 }],
    ['goods that come back', [line(-1, 60)], 0, false, { excluding: -60, tax: -12, including: -72 }],
    ['two rates', [line(1, 100, 20), line(1, 100, 10)], 20, false, { excluding: 180, tax: 27, including: 207 }],
  ] as const)('%s', (_title, lines, discount, pricesIncludeTax, { excluding, tax, including }) => {
    expect(documentAmounts(lines, discount, pricesIncludeTax)).toMatchObject({
      totalAmountExcludingTax: excluding,
      totalTaxAmount: tax,
      totalAmountIncludingTax: including,
    });
  });

  it('gives each line its part of the discount, and loses no cent of it', () => {
    const { lines } = documentAmounts([line(1, 1), line(1, 1), line(1, 1)], 1, false);
    expect(lines.map(({ invoiceDiscountAllocation }) => invoiceDiscountAllocation)).toEqual([0.34, 0.33, 0.33]);
  });

  const cents = fc.integer({ min: 0, max: 1_000_000 }).map((whole) => whole / 100);
  const anyLine = fc.record({
    quantity: fc.integer({ min: -5, max: 500 }),
    price: cents,
    taxPercent: fc.constantFrom(0, 5, 8.25, 10, 20),
    discountAmount: fc.constant(0),
  });

  it('adds up, whatever the lines are', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 12 }), cents, fc.boolean(), (lines, discount, isIncluded) => {
        const amounts = documentAmounts(lines, discount, isIncluded);
        const total = (field: 'netAmount' | 'netTaxAmount' | 'netAmountIncludingTax' | 'invoiceDiscountAllocation') =>
          sum(...amounts.lines.map((each) => each[field]));
        expect(amounts.totalAmountExcludingTax).toBe(total('netAmount'));
        expect(amounts.totalTaxAmount).toBe(total('netTaxAmount'));
        expect(amounts.totalAmountIncludingTax).toBe(total('netAmountIncludingTax'));
        expect(sum(amounts.totalAmountExcludingTax, amounts.totalTaxAmount)).toBe(amounts.totalAmountIncludingTax);
        expect(amounts.discountAmount).toBe(total('invoiceDiscountAllocation'));
        expect(amounts.discountAmount).toBeLessThanOrEqual(discount);
      }),
    );
  });
});
