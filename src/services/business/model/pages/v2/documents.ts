import type { TableName } from '../../tables/index.ts';
import type { Page, PageNavigation } from '../../types.ts';
import { attachments, dimensionSetLines, documentAttachments, many, one, page, twin } from '../notation.ts';

/** Stored for v1.0, which shows them within the line. */
const LINE_DETAILS = ['lineObjectName', 'unitOfMeasureName', 'unitOfMeasureSymbol'];

/** By the document's code of the first of the two global dimensions. */
const dimensionValue: PageNavigation = {
  name: 'dimensionValue',
  set: 'dimensionValues',
  many: false,
  on: { code: 'shortcutDimension1Code' },
};

const SALES_NAVIGATIONS: readonly PageNavigation[] = [
  one('customer', 'customers', 'customerId'),
  dimensionValue,
  one('currency', 'currencies', 'currencyId'),
  one('paymentTerm', 'paymentTerms', 'paymentTermsId'),
  one('shipmentMethod', 'shipmentMethods', 'shipmentMethodId'),
];

const PURCHASE_NAVIGATIONS: readonly PageNavigation[] = [
  one('vendor', 'vendors', 'vendorId'),
  dimensionValue,
  one('currency', 'currencies', 'currencyId'),
];

interface Document {
  readonly set: string;
  readonly table: TableName & `${string}${'Quote' | 'Order' | 'Invoice' | 'CreditMemo'}`;
  /** `parentType` of the document's helper records. */
  readonly called: string;
  readonly actions: readonly string[];
  readonly navigations?: readonly PageNavigation[];
}

/** The pages of the documents and of their lines. */
function documentPages({ set, table, called, actions, navigations = SALES_NAVIGATIONS }: Document): readonly Page[] {
  const lines = `${table}Lines`;
  return [
    page(set, table, {
      actions,
      navigations: [
        ...navigations,
        dimensionSetLines(called),
        many(lines, 'documentId'),
        twin('pdfDocument', 'pdfDocument'),
        attachments(called),
        documentAttachments(called),
      ],
    }),
    page(lines, `${table}Line` as TableName, {
      undated: true,
      hidden: LINE_DETAILS,
      navigations: [
        one(table, set, 'documentId'),
        one('item', 'items', 'itemId'),
        one('account', 'accounts', 'accountId'),
        one('unitOfMeasure', 'unitsOfMeasure', 'unitOfMeasureId'),
        one('itemVariant', 'itemVariants', 'itemVariantId'),
        dimensionSetLines(`${called} Line`),
        one('location', 'locations', 'locationId'),
      ],
    }),
  ];
}

export const DOCUMENT_PAGES: readonly Page[] = [
  ...documentPages({
    set: 'salesQuotes',
    table: 'salesQuote',
    called: 'Sales Quote',
    actions: ['send', 'makeInvoice', 'makeOrder'],
  }),
  ...documentPages({ set: 'salesOrders', table: 'salesOrder', called: 'Sales Order', actions: ['shipAndInvoice'] }),
  ...documentPages({
    set: 'salesInvoices',
    table: 'salesInvoice',
    called: 'Sales Invoice',
    actions: ['post', 'postAndSend', 'send', 'cancel', 'cancelAndSend', 'makeCorrectiveCreditMemo'],
  }),
  ...documentPages({
    set: 'salesCreditMemos',
    table: 'salesCreditMemo',
    called: 'Sales Credit Memo',
    actions: ['post', 'postAndSend', 'send', 'cancel', 'cancelAndSend'],
  }),
  ...documentPages({
    set: 'purchaseInvoices',
    table: 'purchaseInvoice',
    called: 'Purchase Invoice',
    actions: ['post'],
    navigations: PURCHASE_NAVIGATIONS,
  }),
];
