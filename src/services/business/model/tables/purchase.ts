import { invoiceEntityAggregateStatus } from '../enums.ts';
import { boolean, code, date, decimal, guid, initially, named, option, readOnly, related, text } from '../notation.ts';
import { addressCopies, addressOf } from './blocks.ts';
import {
  CURRENCY,
  documentSlots,
  LINE_RELATIONS,
  lineFields,
  lineSlots,
  SHORTCUT_DIMENSIONS,
  TOTALS,
} from './documents.ts';

/** Purchase documents. */
export const PURCHASE_TABLES = named({
  purchaseInvoice: {
    number: 5477,
    caption: 'Purchase Invoice',
    key: 'number',
    series: 'P-INV',
    fields: {
      number: code(20),
      invoiceDate: date,
      postingDate: date,
      dueDate: date,
      vendorInvoiceNumber: text(35),
      vendorId: guid,
      vendorNumber: code(20),
      vendorName: readOnly(text(100)),
      payToName: text(100),
      payToContact: text(100),
      payToVendorId: guid,
      payToVendorNumber: code(20),
      shipToName: text(100),
      shipToContact: text(100),
      ...addressOf('buyFrom'),
      ...addressOf('shipTo'),
      ...addressOf('payTo'),
      ...SHORTCUT_DIMENSIONS,
      ...CURRENCY,
      orderId: readOnly(guid),
      orderNumber: readOnly(code(20)),
      purchaser: code(20),
      pricesIncludeTax: boolean,
      discountAmount: decimal,
      discountAppliedBeforeTax: boolean,
      ...TOTALS,
      status: readOnly(initially('Draft', option(invoiceEntityAggregateStatus))),
    },
    slots: documentSlots('vendor', 'invoiceDate', {
      dueDate: 't7',
      vendorInvoiceNumber: 't8',
      totalAmountExcludingTax: 'n3',
    }),
    relations: [
      related('vendor', 'vendorId', 'vendorNumber', {
        vendorName: 'displayName',
        ...addressCopies('buyFrom'),
        currencyId: 'currencyId',
        currencyCode: 'currencyCode',
      }),
      related('vendor', 'payToVendorId', 'payToVendorNumber', { payToName: 'displayName', ...addressCopies('payTo') }),
      related('currency', 'currencyId', 'currencyCode'),
    ],
  },
  purchaseInvoiceLine: {
    number: 5478,
    caption: 'Purchase Invoice Line',
    partOf: { table: 'purchaseInvoice', by: 'documentId' },
    fields: lineFields('unitCost', true, { expectedReceiptDate: date }),
    slots: lineSlots('unitCost'),
    relations: LINE_RELATIONS,
  },
});
