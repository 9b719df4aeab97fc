import { attachmentEntityBufferDocType, glAccountType } from '../enums.ts';
import { code, date, decimal, guid, internal, named, option, stream, text } from '../notation.ts';

const AGED_AMOUNTS = {
  name: text(100),
  currencyCode: code(10),
  balanceDue: decimal,
  currentAmount: decimal,
  period1Amount: decimal,
  period2Amount: decimal,
  period3Amount: decimal,
  agedAsOfDate: date,
  periodLengthFilter: text(30),
} as const;

/** Shapes of derived rows. The id of a row is the id of the record that it describes. */
export const DERIVED_TABLES = named({
  trialBalance: {
    number: 5488,
    caption: 'Trial Balance',
    fields: {
      number: code(20),
      accountType: option(glAccountType),
      display: text(100),
      totalDebit: text(30),
      totalCredit: text(30),
      balanceAtDateDebit: text(30),
      balanceAtDateCredit: text(30),
      dateFilter: date,
    },
    slots: { number: 't1' },
  },
  agedAccountsReceivable: {
    number: 5499,
    caption: 'Aged Accounts Receivable',
    fields: { customerNumber: code(20), ...AGED_AMOUNTS },
    slots: { customerNumber: 't1' },
  },
  agedAccountsPayable: {
    number: 5499,
    caption: 'Aged Accounts Payable',
    fields: { vendorNumber: code(20), ...AGED_AMOUNTS },
    slots: { vendorNumber: 't1' },
  },
  customerFinancialDetail: {
    number: 18,
    caption: 'Customer Financial Detail',
    fields: { number: code(20), balance: decimal, totalSalesExcludingTax: decimal, overdueAmount: decimal },
    slots: { number: 't1' },
  },
  pdfDocument: {
    number: 5510,
    caption: 'PDF Document',
    fields: {
      parentId: guid,
      parentType: option(attachmentEntityBufferDocType),
      pdfDocumentContent: stream,
      contentType: internal(text(50)),
    },
    slots: { parentId: 't1' },
  },
});
