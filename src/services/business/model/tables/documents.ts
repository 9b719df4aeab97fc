/** Common parts of sales and purchase documents. */

import { invoiceLineAggLineType } from '../enums.ts';
import { boolean, code, date, decimal, guid, int32, option, readOnly, related, text } from '../notation.ts';
import type { Field, Relation, SlotName } from '../types.ts';

export type Fields = Readonly<Record<string, Field>>;

/** Computed from the lines. */
export const TOTALS: Fields = {
  totalAmountExcludingTax: readOnly(decimal),
  totalTaxAmount: readOnly(decimal),
  totalAmountIncludingTax: readOnly(decimal),
};

export const SHORTCUT_DIMENSIONS: Fields = { shortcutDimension1Code: code(20), shortcutDimension2Code: code(20) };

export const CURRENCY: Fields = { currencyId: guid, currencyCode: code(10) };

/** `price` is the field of the amount per unit: sales lines have a price, purchase lines a cost. */
export const lineFields = (price: 'unitPrice' | 'unitCost', allocation: boolean, extras: Fields): Fields => ({
  documentId: guid,
  sequence: int32,
  itemId: guid,
  accountId: guid,
  lineType: option(invoiceLineAggLineType),
  lineObjectNumber: code(20),
  description: text(100),
  description2: text(50),
  unitOfMeasureId: guid,
  unitOfMeasureCode: code(10),
  quantity: decimal,
  [price]: decimal,
  discountAmount: decimal,
  discountPercent: decimal,
  discountAppliedBeforeTax: readOnly(boolean),
  amountExcludingTax: readOnly(decimal),
  taxCode: code(50),
  taxPercent: readOnly(decimal),
  totalTaxAmount: readOnly(decimal),
  amountIncludingTax: readOnly(decimal),
  ...(allocation && { invoiceDiscountAllocation: readOnly(decimal) }),
  netAmount: readOnly(decimal),
  netTaxAmount: readOnly(decimal),
  netAmountIncludingTax: readOnly(decimal),
  ...extras,
  itemVariantId: guid,
  locationId: guid,
  // For v1.0, which shows the item or account and the unit of measure as parts of the line.
  lineObjectName: readOnly(text(100)),
  unitOfMeasureName: readOnly(text(50)),
  unitOfMeasureSymbol: readOnly(text(10)),
});

export const lineSlots = (price: 'unitPrice' | 'unitCost'): Readonly<Record<string, SlotName>> => ({
  documentId: 't1',
  itemId: 't2',
  accountId: 't3',
  lineObjectNumber: 't4',
  lineType: 't5',
  description: 't6',
  sequence: 'n1',
  quantity: 'n2',
  [price]: 'n3',
  amountIncludingTax: 'n4',
});

export const LINE_RELATIONS: readonly Relation[] = [
  related('item', 'itemId', undefined, { lineObjectNumber: 'number', lineObjectName: 'displayName' }),
  related('account', 'accountId', undefined, { lineObjectNumber: 'number', lineObjectName: 'displayName' }),
  related('unitOfMeasure', 'unitOfMeasureId', 'unitOfMeasureCode', {
    unitOfMeasureName: 'displayName',
    unitOfMeasureSymbol: 'symbol',
  }),
  related('itemVariant', 'itemVariantId'),
  related('location', 'locationId'),
];

/** Columns of the fields by which documents are found; `party` is `customer` or `vendor`, `dated` the document's own date. */
export const documentSlots = (
  party: 'customer' | 'vendor',
  dated: string,
  more: Readonly<Record<string, SlotName>>,
): Readonly<Record<string, SlotName>> => ({
  number: 't1',
  [`${party}Number`]: 't2',
  [`${party}Id`]: 't3',
  status: 't4',
  [dated]: 't5',
  postingDate: 't6',
  totalAmountIncludingTax: 'n2',
  ...more,
});

export const shipmentDate: Fields = { shipmentDate: date };
