import type { Books } from '../../records/books.ts';
import type { Row } from '../../records/row.ts';
import type { Draft } from '../types.ts';
import { documentAmounts } from './amounts.ts';
import { covers, type DocumentKind } from './kinds.ts';
import { taxRates } from './tax.ts';

/**
 * Recalculates the lines of a document and returns the derived fields of the document. Lines are written without a change of their own,
 * because the change belongs to the document.
 */
export async function calculate(books: Books, kind: DocumentKind, id: string, header: Readonly<Draft>): Promise<Draft> {
  const rows = await books.list(kind.lines, { documentId: id });
  const party = await books.get(kind.party, header[`${kind.party}Id`] as string);
  const taxPercent = await taxRates(books, party);
  const percents: number[] = [];
  for (const row of rows) percents.push(await taxPercent(row.text('taxCode')));
  const pricesIncludeTax = header.pricesIncludeTax === true;
  const amounts = documentAmounts(
    rows.map((row, index) => ({
      quantity: row.number('quantity'),
      price: row.number(kind.price),
      discountAmount: row.number('discountAmount'),
      taxPercent: percents[index] as number,
    })),
    header.discountAmount as number,
    pricesIncludeTax,
  );
  for (const [index, row] of rows.entries()) {
    const { invoiceDiscountAllocation, ...line } = amounts.lines[index]!;
    await books.derive(row, {
      ...line,
      ...(kind.hasAllocation && { invoiceDiscountAllocation }),
      taxPercent: percents[index] as number,
      discountAppliedBeforeTax: !pricesIncludeTax,
    });
  }
  return {
    totalAmountExcludingTax: amounts.totalAmountExcludingTax,
    totalTaxAmount: amounts.totalTaxAmount,
    totalAmountIncludingTax: amounts.totalAmountIncludingTax,
    // A document without lines keeps its discount for later lines.
    ...(rows.length > 0 && { discountAmount: amounts.discountAmount }),
    ...(kind.isOrder && { fullyShipped: isFullyShipped(rows) }),
  };
}

const isFullyShipped = (lines: readonly Row[]): boolean =>
  lines.some((line) => line.number('quantity') !== 0) &&
  lines.every((line) => covers(line.number('shippedQuantity'), line.number('quantity')));
