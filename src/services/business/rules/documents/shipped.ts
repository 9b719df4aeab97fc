/** Restrictions on an order once some of it has been shipped. */
import type { Books } from '../../records/books.ts';
import type { Row } from '../../records/row.ts';
import { refusal } from '../refuse.ts';
import type { DocumentKind } from './kinds.ts';

const isShipped = (line: Row): boolean => line.number('shippedQuantity') !== 0;

export const isShippedAhead = (line: Row): boolean =>
  line.number('shippedQuantity') !== line.number('invoicedQuantity');

/** The object of a line cannot change after some of it has been shipped. */
export function requireNotShipped({ isOrder }: DocumentKind, line: Row, action: string, field: string): void {
  if (!isOrder || !isShipped(line)) return;
  throw refusal(`You cannot ${action} because something of it has been shipped.`, field);
}

/** Shipped goods are invoiced to the customer that received them. */
export async function requireSameReceiver(books: Books, kind: DocumentKind, order: Row): Promise<void> {
  if (!kind.isOrder) return;
  const lines = await books.list(kind.lines, { documentId: order.id });
  if (!lines.some(isShipped)) return;
  throw refusal('You cannot change the customer of the order because something of it has been shipped.', 'customerId');
}

/** A deleted order could not be invoiced any more. */
export async function requireNothingToInvoice(books: Books, kind: DocumentKind, order: Row): Promise<void> {
  if (!kind.isOrder) return;
  const lines = await books.list(kind.lines, { documentId: order.id });
  if (!lines.some(isShippedAhead)) return;
  throw refusal('You cannot delete the order because something of it has been shipped and not invoiced.');
}
