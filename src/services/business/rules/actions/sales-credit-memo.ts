import { dayOf } from '../../../../kernel/time/index.ts';
import { SALES_CREDIT_MEMO, SALES_INVOICE } from '../documents/kinds.ts';
import { lockPosting } from '../posting/general-ledger.ts';
import { postDocument } from '../posting/post-document.ts';
import { apply, entryOf } from '../posting/sub-ledger.ts';
import { refusal } from '../refuse.ts';
import type { BoundAction } from '../types.ts';
import { copyDocument } from './copy-document.ts';
import { inSequence, send } from './send.ts';

const post: BoundAction = async (books, row) => {
  await postDocument(books, SALES_CREDIT_MEMO, row);
};

/** Cancels a posted credit memo by an invoice over its full amount. A credit memo that has settled an invoice cannot be cancelled. */
const cancel: BoundAction = async (books, row) => {
  const status = row.text('status');
  if (SALES_CREDIT_MEMO.editable.includes(status)) {
    throw refusal('The action can be applied to a posted credit memo only.', 'status');
  }
  if (status !== 'Open') {
    throw refusal(`The credit memo cannot be canceled because its status is '${status}'.`, 'status');
  }
  await lockPosting(books);
  const customerId = row.text('billToCustomerId');
  const entry = await entryOf(books, 'customer', customerId, 'Credit Memo', row.text('number'));
  if (!entry || entry.number('remainingAmount') !== entry.number('amount')) {
    throw refusal('The credit memo cannot be canceled because it has been applied to an invoice.', 'status');
  }
  const today = dayOf(books.now);
  const invoice = await copyDocument(books, SALES_CREDIT_MEMO, row, SALES_INVOICE, {
    header: { invoiceDate: today, postingDate: today },
  });
  const posted = await postDocument(books, SALES_INVOICE, invoice, { status: 'Corrective' });
  const owed = await entryOf(books, 'customer', customerId, 'Invoice', posted.text('number'));
  if (owed) await apply(books, 'customer', entry, owed);
  await books.modify(row, { status: 'Canceled' });
};

export const SALES_CREDIT_MEMO_ACTIONS: Readonly<Record<string, BoundAction>> = {
  'salesCreditMemo.post': post,
  'salesCreditMemo.postAndSend': inSequence(send, post),
  'salesCreditMemo.send': send,
  'salesCreditMemo.cancel': cancel,
  'salesCreditMemo.cancelAndSend': inSequence(send, cancel),
};
