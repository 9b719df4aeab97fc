/** Amounts of a document: pure arithmetic over its lines. Tax is rounded line by line. */

import { percentage, percentOf, share, sum, times } from '../money.ts';
import type { Draft } from '../types.ts';

export interface LineInput {
  readonly quantity: number;
  readonly price: number;
  readonly discountAmount: number;
  readonly taxPercent: number;
}

export interface LineAmounts {
  readonly amountExcludingTax: number;
  readonly totalTaxAmount: number;
  readonly amountIncludingTax: number;
  readonly invoiceDiscountAllocation: number;
  readonly netAmount: number;
  readonly netTaxAmount: number;
  readonly netAmountIncludingTax: number;
}

export interface DocumentAmounts {
  readonly lines: readonly LineAmounts[];
  /** The part of the document's discount that the lines can absorb. */
  readonly discountAmount: number;
  readonly totalAmountExcludingTax: number;
  readonly totalTaxAmount: number;
  readonly totalAmountIncludingTax: number;
}

/** `discount` applies to the whole document. `pricesIncludeTax` says whether discount and prices include tax. */
export function documentAmounts(
  lines: readonly LineInput[],
  discount: number,
  pricesIncludeTax: boolean,
): DocumentAmounts {
  const before = lines.map((line) => sum(times(line.quantity, line.price), -line.discountAmount));
  const allocations = allocated(discount, before);
  const amounts = lines.map(({ taxPercent }, index): LineAmounts => {
    const amount = before[index] as number;
    const invoiceDiscountAllocation = allocations[index] as number;
    const own = taxed(amount, taxPercent, pricesIncludeTax);
    const net = taxed(sum(amount, -invoiceDiscountAllocation), taxPercent, pricesIncludeTax);
    return {
      amountExcludingTax: own.excluding,
      totalTaxAmount: own.tax,
      amountIncludingTax: own.including,
      invoiceDiscountAllocation,
      netAmount: net.excluding,
      netTaxAmount: net.tax,
      netAmountIncludingTax: net.including,
    };
  });
  return {
    lines: amounts,
    discountAmount: sum(...allocations),
    totalAmountExcludingTax: sum(...amounts.map(({ netAmount }) => netAmount)),
    totalTaxAmount: sum(...amounts.map(({ netTaxAmount }) => netTaxAmount)),
    totalAmountIncludingTax: sum(...amounts.map(({ netAmountIncludingTax }) => netAmountIncludingTax)),
  };
}

interface Taxed {
  readonly excluding: number;
  readonly tax: number;
  readonly including: number;
}

function taxed(amount: number, percent: number, isIncluded: boolean): Taxed {
  if (!isIncluded) {
    const tax = percentOf(amount, percent);
    return { excluding: amount, tax, including: sum(amount, tax) };
  }
  const excluding = share(amount, 100, sum(100, percent));
  return { excluding, tax: sum(amount, -excluding), including: amount };
}

/**
 * Distributes a discount over the lines; the largest line takes the rounding difference. A document with a negative total takes no
 * discount.
 */
function allocated(discount: number, amounts: readonly number[]): readonly number[] {
  const total = sum(...amounts);
  if (discount <= 0 || total <= 0) return amounts.map(() => 0);
  const taken = Math.min(discount, total);
  const parts = amounts.map((amount) => share(taken, amount, total));
  const largest = amounts.indexOf(Math.max(...amounts));
  parts[largest] = sum(parts[largest] as number, taken, -sum(...parts));
  return parts;
}

/** Keeps discount percentage and amount in sync; the one that was set takes precedence. Returns the gross amount. */
export function settleDiscount(draft: Draft, price: number, isAmountGiven: boolean): number {
  const gross = times(draft.quantity as number, price);
  if (isAmountGiven) {
    draft.discountAmount = sum(draft.discountAmount as number);
    draft.discountPercent = percentage(draft.discountAmount, gross);
  } else draft.discountAmount = percentOf(gross, draft.discountPercent as number);
  return gross;
}
