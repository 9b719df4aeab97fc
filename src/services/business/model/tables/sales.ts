import {
  invoiceEntityAggregateStatus,
  salesCrMemoEntityBufferStatus,
  salesOrderEntityBufferStatus,
  salesQuoteEntityBufferStatus,
} from '../enums.ts';
import {
  boolean,
  code,
  date,
  dateTime,
  decimal,
  guid,
  initially,
  named,
  option,
  readOnly,
  related,
  text,
} from '../notation.ts';
import type { Field, Relation } from '../types.ts';
import { addressCopies, addressOf } from './blocks.ts';
import {
  CURRENCY,
  documentSlots,
  type Fields,
  LINE_RELATIONS,
  lineFields,
  lineSlots,
  SHORTCUT_DIMENSIONS,
  shipmentDate,
  TOTALS,
} from './documents.ts';

const SHIP_TO: Fields = { shipToName: text(100), shipToContact: text(100) };

interface Header {
  /** Dates of the document, before its posting date. */
  readonly dates: Fields;
  /** Dates after the posting date. */
  readonly due?: Fields;
  readonly shipTo?: boolean;
  readonly afterCurrency?: Fields;
  readonly terms?: Fields;
  readonly status: Field;
  readonly end?: Fields;
}

const header = ({ dates, due, shipTo = true, afterCurrency, terms, status, end }: Header): Fields => ({
  number: code(20),
  externalDocumentNumber: text(35),
  ...dates,
  postingDate: date,
  ...due,
  customerId: guid,
  customerNumber: code(20),
  customerName: readOnly(text(100)),
  billToName: text(100),
  billToCustomerId: guid,
  billToCustomerNumber: code(20),
  ...(shipTo && SHIP_TO),
  ...addressOf('sellTo'),
  ...addressOf('billTo'),
  ...(shipTo && addressOf('shipTo')),
  ...SHORTCUT_DIMENSIONS,
  ...CURRENCY,
  ...afterCurrency,
  paymentTermsId: guid,
  shipmentMethodId: guid,
  salesperson: code(20),
  ...terms,
  discountAmount: decimal,
  ...TOTALS,
  status: readOnly(status),
  ...end,
  phoneNumber: text(30),
  email: text(80),
});

const customerRelations = (shipTo = true): readonly Relation[] => [
  related('customer', 'customerId', 'customerNumber', {
    customerName: 'displayName',
    ...addressCopies('sellTo'),
    ...(shipTo && { shipToName: 'displayName', ...addressCopies('shipTo') }),
    currencyId: 'currencyId',
    currencyCode: 'currencyCode',
    paymentTermsId: 'paymentTermsId',
    shipmentMethodId: 'shipmentMethodId',
    salesperson: 'salespersonCode',
    phoneNumber: 'phoneNumber',
    email: 'email',
  }),
  related('customer', 'billToCustomerId', 'billToCustomerNumber', {
    billToName: 'displayName',
    ...addressCopies('billTo'),
  }),
  related('currency', 'currencyId', 'currencyCode'),
  related('paymentTerm', 'paymentTermsId'),
  related('shipmentMethod', 'shipmentMethodId'),
];

const lines = (table: string, number: number, caption: string, extras: Fields = {}, allocation = true) => ({
  number,
  caption,
  partOf: { table, by: 'documentId' },
  fields: lineFields('unitPrice', allocation, extras),
  slots: lineSlots('unitPrice'),
  relations: LINE_RELATIONS,
});

/** Sales quotes, orders, invoices and credit memos. */
export const SALES_TABLES = named({
  salesQuote: {
    number: 5505,
    caption: 'Sales Quote',
    key: 'number',
    series: 'S-QUO',
    fields: header({
      dates: { documentDate: date },
      due: { dueDate: date },
      status: option(salesQuoteEntityBufferStatus),
      end: { sentDate: readOnly(dateTime), validUntilDate: date, acceptedDate: date },
    }),
    slots: documentSlots('customer', 'documentDate', {
      dueDate: 't7',
      externalDocumentNumber: 't8',
      totalAmountExcludingTax: 'n3',
      sentDate: 'n4',
    }),
    relations: customerRelations(),
  },
  salesOrder: {
    number: 5495,
    caption: 'Sales Order',
    key: 'number',
    series: 'S-ORD',
    fields: header({
      dates: { orderDate: date },
      afterCurrency: { pricesIncludeTax: readOnly(boolean) },
      terms: { partialShipping: boolean, requestedDeliveryDate: date, discountAppliedBeforeTax: boolean },
      status: option(salesOrderEntityBufferStatus),
      end: { fullyShipped: readOnly(boolean) },
    }),
    slots: documentSlots('customer', 'orderDate', {
      requestedDeliveryDate: 't7',
      externalDocumentNumber: 't8',
      totalAmountExcludingTax: 'n3',
    }),
    relations: customerRelations(),
  },
  salesInvoice: {
    number: 5475,
    caption: 'Sales Invoice',
    key: 'number',
    series: 'S-INV',
    fields: header({
      dates: { invoiceDate: date },
      due: { dueDate: date, promisedPayDate: date, customerPurchaseOrderReference: text(35) },
      afterCurrency: { orderId: readOnly(guid), orderNumber: readOnly(code(20)) },
      terms: {
        disputeStatusId: guid,
        disputeStatus: code(10),
        pricesIncludeTax: boolean,
        remainingAmount: readOnly(decimal),
        discountAppliedBeforeTax: boolean,
      },
      status: initially('Draft', option(invoiceEntityAggregateStatus)),
    }),
    slots: documentSlots('customer', 'invoiceDate', {
      dueDate: 't7',
      externalDocumentNumber: 't8',
      totalAmountExcludingTax: 'n3',
      remainingAmount: 'n4',
    }),
    relations: [...customerRelations(), related('disputeStatus', 'disputeStatusId', 'disputeStatus')],
  },
  salesCreditMemo: {
    number: 5507,
    caption: 'Sales Credit Memo',
    key: 'number',
    series: 'S-CR',
    fields: header({
      dates: { creditMemoDate: date },
      due: { dueDate: date },
      shipTo: false,
      terms: { pricesIncludeTax: boolean, discountAppliedBeforeTax: boolean },
      status: option(salesCrMemoEntityBufferStatus),
      end: { invoiceId: guid, invoiceNumber: code(20), customerReturnReasonId: guid },
    }),
    slots: documentSlots('customer', 'creditMemoDate', {
      invoiceNumber: 't7',
      externalDocumentNumber: 't8',
      totalAmountExcludingTax: 'n3',
    }),
    relations: [...customerRelations(false), related('salesInvoice', 'invoiceId', 'invoiceNumber')],
  },
  salesQuoteLine: lines('salesQuote', 37, 'Sales Quote Line', {}, false),
  salesOrderLine: lines('salesOrder', 37, 'Sales Order Line', {
    ...shipmentDate,
    shippedQuantity: readOnly(decimal),
    invoicedQuantity: readOnly(decimal),
    invoiceQuantity: decimal,
    shipQuantity: decimal,
  }),
  salesInvoiceLine: lines('salesInvoice', 5476, 'Sales Invoice Line', shipmentDate),
  salesCreditMemoLine: lines('salesCreditMemo', 5476, 'Sales Credit Memo Line', shipmentDate),
});
