/** What an order keeps to once something of it has left the house. */
import type { Books } from '../../records/books.ts';
import type { Row } from '../../records/row.ts';
import { refusal } from '../refuse.ts';
import type { DocumentKind } from './kinds.ts';

const isShipped = (line: Row): boolean => line.number('shippedQuantity') !== 0;

export const isShippedAhead = (line: Row): boolean =>
  line.number('shippedQuantity') !== line.number('invoicedQuantity');

/** A line of which something was shipped is about that for ever. */
export function requireNotShipped({ isOrder }: DocumentKind, line: Row, action: string, field: string): void {
  if (!isOrder || !isShipped(line)) return;
  throw refusal(`You cannot ${action} because something of it has been shipped.`, field);
}

/** What was shipped is charged to whom it was shipped to. */
export async function requireSameReceiver(books: Books, kind: DocumentKind, order: Row): Promise<void> {
  if (!kind.isOrder) return;
  const lines = await books.list(kind.lines, { documentId: order.id });
  if (!lines.some(isShipped)) return;
  throw refusal('You cannot change the customer of the order because something of it has been shipped.', 'customerId');
}

/** An order that was deleted could not be charged any more. */
export async function requireNothingToInvoice(books: Books, kind: DocumentKind, order: Row): Promise<void> {
  if (!kind.isOrder) return;
  const lines = await books.list(kind.lines, { documentId: order.id });
  if (!lines.some(isShippedAhead)) return;
  throw refusal('You cannot delete the order because something of it has been shipped and not invoiced.');
}
