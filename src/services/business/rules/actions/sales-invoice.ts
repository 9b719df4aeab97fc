import { dayOf } from '../../../../kernel/time/index.ts';
import type { Books } from '../../records/books.ts';
import type { Row } from '../../records/row.ts';
import { SALES_CREDIT_MEMO, SALES_INVOICE } from '../documents/kinds.ts';
import { lockPosting } from '../posting/general-ledger.ts';
import { postDocument } from '../posting/post-document.ts';
import { refusal } from '../refuse.ts';
import type { BoundAction } from '../types.ts';
import { copyDocument } from './copy-document.ts';
import { inSequence, send } from './send.ts';

const post: BoundAction = async (books, row) => {
  await postDocument(books, SALES_INVOICE, row);
};

/** Cancels a posted invoice by a credit memo over its full amount, which is posted at once. */
const cancel: BoundAction = async (books, row) => {
  const invoice = requirePosted(row);
  const number = invoice.text('number');
  if (invoice.number('remainingAmount') !== invoice.number('totalAmountIncludingTax')) {
    throw refusal(`You cannot cancel this posted sales invoice because it is fully or partially paid: ${number}.`);
  }
  await lockPosting(books);
  const creditMemo = await creditMemoFor(books, invoice);
  await postDocument(books, SALES_CREDIT_MEMO, creditMemo, { status: 'Corrective' });
  await books.modify(invoice, { status: 'Canceled' });
};

/** The credit memo stays a draft, so that it can be reduced before it is posted. */
const makeCorrectiveCreditMemo: BoundAction = async (books, row) => {
  await creditMemoFor(books, requirePosted(row));
};

function creditMemoFor(books: Books, invoice: Row): Promise<Row> {
  const today = dayOf(books.now);
  return copyDocument(books, SALES_INVOICE, invoice, SALES_CREDIT_MEMO, {
    header: {
      creditMemoDate: today,
      postingDate: today,
      invoiceId: invoice.id,
    },
  });
}

function requirePosted(row: Row): Row {
  const status = row.text('status');
  if (SALES_INVOICE.editable.includes(status)) {
    throw refusal('The action can be applied to a posted invoice only.', 'status');
  }
  if (status === 'Canceled') {
    throw refusal('The invoice cannot be canceled because it has already been canceled.', 'status');
  }
  if (status === 'Corrective') {
    throw refusal('The invoice cannot be canceled because it corrects a credit memo.', 'status');
  }
  return row;
}

export const SALES_INVOICE_ACTIONS: Readonly<Record<string, BoundAction>> = {
  'salesInvoice.post': post,
  'salesInvoice.postAndSend': inSequence(send, post),
  'salesInvoice.send': send,
  'salesInvoice.cancel': cancel,
  'salesInvoice.cancelAndSend': inSequence(send, cancel),
  'salesInvoice.makeCorrectiveCreditMemo': makeCorrectiveCreditMemo,
};
