import { NO_DATE } from '../../records/row.ts';

/** Differences between the five kinds of documents that rules depend on. */
export interface DocumentKind {
  /** Tables of the documents and of their lines. */
  readonly header: string;
  readonly lines: string;
  /** For people: `Sales Invoice`. */
  readonly caption: string;
  /** Used in general ledger entries and in helper records. */
  readonly entryType: 'Invoice' | 'Credit Memo' | ' ';
  readonly party: 'customer' | 'vendor';
  /** Prefix of the fields of the billed party, which may differ. */
  readonly billed: 'billTo' | 'payTo';
  /** Field of the amount per unit. */
  readonly price: 'unitPrice' | 'unitCost';
  /** The document's own date, from which its due date is computed. */
  readonly date: string;
  readonly hasDueDate: boolean;
  /** True if lines show their share of the document's discount. */
  readonly hasAllocation: boolean;
  readonly isOrder?: boolean;
  /** States in which the document can be changed and deleted. */
  readonly editable: readonly string[];
  /** Number series of posted documents. */
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

/** True if a part lies within a quantity. Quantities of returns are negative, and so are their parts. */
export const covers = (quantity: number, part: number): boolean =>
  Math.abs(part) <= Math.abs(quantity) && part * quantity >= 0;

export const isDate = (value: unknown): value is string =>
  typeof value === 'string' && value !== NO_DATE && value !== '';
