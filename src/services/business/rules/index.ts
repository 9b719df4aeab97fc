import { PURCHASE_INVOICE_ACTIONS } from './actions/purchase-invoice.ts';
import { SALES_CREDIT_MEMO_ACTIONS } from './actions/sales-credit-memo.ts';
import { SALES_INVOICE_ACTIONS } from './actions/sales-invoice.ts';
import { SALES_ORDER_ACTIONS } from './actions/sales-order.ts';
import { SALES_QUOTE_ACTIONS } from './actions/sales-quote.ts';
import { headerRules } from './documents/header.ts';
import { DOCUMENT_KINDS } from './documents/kinds.ts';
import { lineRules } from './documents/line.ts';
import { JOURNAL_LINE_RULES } from './journals/line.ts';
import { JOURNAL_ACTIONS } from './journals/post.ts';
import { HELPER_RULES } from './master/helpers.ts';
import { MASTER_RULES } from './master/records.ts';
import type { BoundAction, TableRules } from './types.ts';

/** By the name of the table. */
export const RULES: Readonly<Record<string, TableRules | undefined>> = {
  __proto__: null as never,
  ...Object.fromEntries(DOCUMENT_KINDS.map((kind) => [kind.header, headerRules(kind)])),
  ...Object.fromEntries(DOCUMENT_KINDS.map((kind) => [kind.lines, lineRules(kind)])),
  journalLine: JOURNAL_LINE_RULES,
  ...MASTER_RULES,
  ...HELPER_RULES,
};

/** By table and action: `salesInvoice.post`. */
export const ACTIONS: Readonly<Record<string, BoundAction | undefined>> = {
  __proto__: null as never,
  ...SALES_INVOICE_ACTIONS,
  ...SALES_CREDIT_MEMO_ACTIONS,
  ...SALES_QUOTE_ACTIONS,
  ...SALES_ORDER_ACTIONS,
  ...PURCHASE_INVOICE_ACTIONS,
  ...JOURNAL_ACTIONS,
};
