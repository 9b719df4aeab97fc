import { dayOf } from '../../../../kernel/time/index.ts';
import type { Books } from '../../records/books.ts';
import type { Row } from '../../records/row.ts';
import { calculate } from '../documents/calculate.ts';
import { SALES_INVOICE, SALES_ORDER } from '../documents/kinds.ts';
import { isShippedAhead } from '../documents/shipped.ts';
import { share, sumOfQuantities, times } from '../money.ts';
import { lockPosting } from '../posting/general-ledger.ts';
import { postDocument } from '../posting/post-document.ts';
import { takeFromStock } from '../posting/stock.ts';
import { refusal } from '../refuse.ts';
import type { BoundAction } from '../types.ts';
import { copyDocument } from './copy-document.ts';

/**
 * Ships and invoices the next quantities of the lines; by default everything that remains. An order that is complete is deleted; its
 * invoice refers to it.
 */
const shipAndInvoice: BoundAction = async (books, row) => {
  await lockPosting(books);
  await books.settle();
  const order = books.current(row);
  const lines = await books.list(SALES_ORDER.lines, { documentId: order.id });
  requireSomething(lines);
  const today = dayOf(books.now);
  const invoice = await copyDocument(books, SALES_ORDER, order, SALES_INVOICE, {
    header: {
      invoiceDate: today,
      postingDate: today,
      orderId: order.id,
      orderNumber: order.text('number'),
      discountAmount: discountOf(order, lines),
    },
    line: nextOf,
  });
  await postDocument(books, SALES_INVOICE, invoice);
  await shipAhead(books, lines);
  if (lines.every(isDone)) {
    // Lines shipped but not invoiced would prevent the deletion of the order.
    for (const line of lines) if (isShippedAhead(line)) await advance(books, line);
    return books.remove(order);
  }
  for (const line of lines) await advance(books, line);
  await books.modify(order, { ...(await calculate(books, SALES_ORDER, order.id, order.values())), status: 'Open' });
};

function requireSomething(lines: readonly Row[]): void {
  if (!lines.some((line) => line.number('invoiceQuantity') !== 0)) {
    throw refusal('There is nothing to post because the document does not contain a quantity or amount.');
  }
  for (const line of lines) {
    const shipped = sumOfQuantities(line.number('shippedQuantity'), line.number('shipQuantity'));
    const invoiced = sumOfQuantities(line.number('invoicedQuantity'), line.number('invoiceQuantity'));
    if (Math.abs(invoiced) <= Math.abs(shipped)) continue;
    throw refusal(
      `Line ${line.number('sequence')}: ${invoiced} would be invoiced, but only ${shipped} would be shipped by then.`,
      'invoiceQuantity',
    );
  }
}

/** The share of the order's discount for the invoiced quantities. */
function discountOf(order: Row, lines: readonly Row[]): number {
  const discount = order.number('discountAmount');
  const worth = (quantity: (line: Row) => number): number =>
    lines.reduce((total, line) => {
      const factor = 1 - line.number('discountPercent') / 100;
      return total + times(quantity(line), line.number('unitPrice'), factor);
    }, 0);
  const now = worth((line) => line.number('invoiceQuantity'));
  const all = worth((line) => line.number('quantity'));
  return now === all ? discount : share(discount, now, all);
}

const nextOf = (line: Row): { readonly quantity: number } | Record<string, never> | undefined => {
  if (line.text('lineType') === 'Comment') return {};
  const quantity = line.number('invoiceQuantity');
  if (quantity === 0) return undefined;
  return quantity === line.number('quantity') ? {} : { quantity };
};

/** The invoice has taken its quantities from stock; this takes quantities that are shipped before they are invoiced. */
async function shipAhead(books: Books, lines: readonly Row[]): Promise<void> {
  for (const line of lines) {
    const ahead = sumOfQuantities(line.number('shipQuantity'), -line.number('invoiceQuantity'));
    if (line.text('lineType') === 'Item' && ahead !== 0) await takeFromStock(books, line.text('itemId'), ahead);
  }
}

const isDone = (line: Row): boolean =>
  sumOfQuantities(line.number('invoicedQuantity'), line.number('invoiceQuantity')) === line.number('quantity');

async function advance(books: Books, line: Row): Promise<void> {
  const quantity = line.number('quantity');
  const shippedQuantity = sumOfQuantities(line.number('shippedQuantity'), line.number('shipQuantity'));
  const invoicedQuantity = sumOfQuantities(line.number('invoicedQuantity'), line.number('invoiceQuantity'));
  await books.derive(line, {
    shippedQuantity,
    invoicedQuantity,
    shipQuantity: sumOfQuantities(quantity, -shippedQuantity),
    invoiceQuantity: sumOfQuantities(quantity, -invoicedQuantity),
  });
}

export const SALES_ORDER_ACTIONS: Readonly<Record<string, BoundAction>> = {
  'salesOrder.shipAndInvoice': shipAndInvoice,
};
