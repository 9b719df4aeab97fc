import { dayOf } from '../../../../kernel/time/index.ts';
import type { Books } from '../../records/books.ts';
import type { Row } from '../../records/row.ts';
import { type DocumentKind, SALES_INVOICE, SALES_ORDER, SALES_QUOTE } from '../documents/kinds.ts';
import { refusal } from '../refuse.ts';
import type { BoundAction } from '../types.ts';
import { copyDocument } from './copy-document.ts';
import { inSequence, send } from './send.ts';

const markSent: BoundAction = async (books, row) => {
  const isAccepted = row.text('status') === 'Accepted';
  await books.modify(row, { sentDate: books.now, ...(!isAccepted && { status: 'Sent' }) });
};

/** Converts the quote to the other document and deletes the quote. */
async function become(books: Books, quote: Row, kind: DocumentKind): Promise<void> {
  const lines = await books.list(SALES_QUOTE.lines, { documentId: quote.id });
  if (lines.length === 0) throw refusal(`The ${SALES_QUOTE.caption} ${quote.text('number')} has no lines.`);
  const today = dayOf(books.now);
  await copyDocument(books, SALES_QUOTE, quote, kind, { header: { [kind.date]: today, postingDate: today } });
  await books.remove(quote);
}

export const SALES_QUOTE_ACTIONS: Readonly<Record<string, BoundAction>> = {
  'salesQuote.send': inSequence(send, markSent),
  'salesQuote.makeInvoice': (books, row) => become(books, row, SALES_INVOICE),
  'salesQuote.makeOrder': (books, row) => become(books, row, SALES_ORDER),
};
