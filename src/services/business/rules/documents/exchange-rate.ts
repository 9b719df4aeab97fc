import type { Books } from '../../records/books.ts';
import { NO_GUID, type Row } from '../../records/row.ts';

/** Value of one unit of a document's currency in the currency of the books; 1 for documents without a currency. */
export async function exchangeRate(books: Books, document: Row): Promise<number> {
  const id = document.text('currencyId');
  const currency = id === NO_GUID ? undefined : await books.get('currency', id);
  return currency?.number('exchangeRate') || 1;
}
