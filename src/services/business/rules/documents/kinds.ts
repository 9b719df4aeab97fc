import { NO_DATE } from '../../records/row.ts';

/** What tells the five kinds of documents apart, as far as rules ask. */
export interface DocumentKind {
  /** The table of the documents, and the table of their lines. */
  readonly header: string;
  readonly lines: string;
  /** For people: `Sales Invoice`. */
  readonly caption: string;
  /** In general ledger entries and in helpers. */
  readonly entryType: 'Invoice' | 'Credit Memo' | ' ';
  readonly party: 'customer' | 'vendor';
  /** The party that is sent the bill, where it is another. */
  readonly billed: 'billTo' | 'payTo';
  /** The field for what one unit costs. */
  readonly price: 'unitPrice' | 'unitCost';
  /** The document's own date, which its due date counts from. */
  readonly date: string;
  readonly hasDueDate: boolean;
  /** Whether lines say what part of the document's discount is theirs. */
  readonly hasAllocation: boolean;
  readonly isOrder?: boolean;
  /** In these it may be changed and deleted. */
  readonly editable: readonly string[];
  /** Where posted documents have their numbers from. */
  readonly postedSeries?: string;
}

const SALES = { party: 'customer', billed: 'billTo', price: 'unitPrice' } as const;
const DRAFT = ['Draft', 'In Review'];

export const SALES_QUOTE: DocumentKind = {
  ...SALES,
  header: 'salesQuote',
  lines: 'salesQuoteLine',
  caption: 'Sales Quote',
  entryType: ' ',
  date: 'documentDate',
  hasDueDate: true,
  hasAllocation: false,
  editable: ['Draft', 'Sent', 'Accepted', 'Expired'],
};

export const SALES_ORDER: DocumentKind = {
  ...SALES,
  header: 'salesOrder',
  lines: 'salesOrderLine',
  caption: 'Sales Order',
  entryType: ' ',
  date: 'orderDate',
  hasDueDate: false,
  hasAllocation: true,
  isOrder: true,
  editable: ['Draft', 'In Review', 'Open'],
};

export const SALES_INVOICE: DocumentKind = {
  ...SALES,
  header: 'salesInvoice',
  lines: 'salesInvoiceLine',
  caption: 'Sales Invoice',
  entryType: 'Invoice',
  date: 'invoiceDate',
  hasDueDate: true,
  hasAllocation: true,
  editable: DRAFT,
  postedSeries: 'S-INV+',
};

export const SALES_CREDIT_MEMO: DocumentKind = {
  ...SALES,
  header: 'salesCreditMemo',
  lines: 'salesCreditMemoLine',
  caption: 'Sales Credit Memo',
  entryType: 'Credit Memo',
  date: 'creditMemoDate',
  hasDueDate: true,
  hasAllocation: true,
  editable: DRAFT,
  postedSeries: 'S-CR+',
};

export const PURCHASE_INVOICE: DocumentKind = {
  header: 'purchaseInvoice',
  lines: 'purchaseInvoiceLine',
  caption: 'Purchase Invoice',
  entryType: 'Invoice',
  party: 'vendor',
  billed: 'payTo',
  price: 'unitCost',
  date: 'invoiceDate',
  hasDueDate: true,
  hasAllocation: true,
  editable: DRAFT,
  postedSeries: 'P-INV+',
};

export const DOCUMENT_KINDS: readonly DocumentKind[] = [
  SALES_QUOTE,
  SALES_ORDER,
  SALES_INVOICE,
  SALES_CREDIT_MEMO,
  PURCHASE_INVOICE,
];

/** Whether a quantity has another in it; what is taken back is below zero, and so is every part of it. */
export const covers = (quantity: number, part: number): boolean =>
  Math.abs(part) <= Math.abs(quantity) && part * quantity >= 0;

export const isDate = (value: unknown): value is string =>
  typeof value === 'string' && value !== NO_DATE && value !== '';
