import { PURCHASE_INVOICE } from '../documents/kinds.ts';
import { postDocument } from '../posting/post-document.ts';
import type { BoundAction } from '../types.ts';

export const PURCHASE_INVOICE_ACTIONS: Readonly<Record<string, BoundAction>> = {
  'purchaseInvoice.post': async (books, row) => {
    await postDocument(books, PURCHASE_INVOICE, row);
  },
};
