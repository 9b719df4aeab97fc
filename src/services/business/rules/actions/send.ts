import { refusal } from '../refuse.ts';
import type { BoundAction } from '../types.ts';

/** Sends a document to its own email address or that of its customer. Nothing leaves the jar; a document without an address is refused. */
export const send: BoundAction = async (books, document) => {
  if (document.text('email') !== '') return;
  const customer = await books.get('customer', document.text('customerId'));
  if (customer && customer.text('email') !== '') return;
  throw refusal('The send-to email is empty. Specify email either for the customer or for the document.', 'email');
};

/** Runs one action, then a second on its result. */
export const inSequence =
  (first: BoundAction, second: BoundAction): BoundAction =>
  async (books, row, parameters) => {
    await first(books, row, parameters);
    await second(books, books.current(row), parameters);
  };
