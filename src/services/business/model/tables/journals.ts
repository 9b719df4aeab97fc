import { genJournalAccountType, genJournalDocumentType } from '../enums.ts';
import { code, date, decimal, guid, initially, int32, named, option, readOnly, related, text } from '../notation.ts';
import type { Relation } from '../types.ts';

/** Lists show only journals of this template, unless a filter names the field. */
export const GENERAL_TEMPLATE = 'GENERAL';
/** Template of journals for customer payments. */
export const CASH_RECEIPT_TEMPLATE = 'CASHRCPT';

/** Table that `accountId` and `accountNumber` refer to, by account type. */
const TABLE_OF_ACCOUNT_TYPE = {
  'G/L Account': 'account',
  Customer: 'customer',
  Vendor: 'vendor',
  Employee: 'employee',
} as const;

const accountRelations = (typeField: string, id: string, number: string): Relation[] =>
  Object.entries(TABLE_OF_ACCOUNT_TYPE).map(([accountType, table]) => ({
    ...related(table, id, number),
    when: { [typeField]: accountType },
  }));

/** Batches of all templates share one table, and their lines another. */
export const JOURNAL_TABLES = named({
  journal: {
    number: 232,
    caption: 'Gen. Journal Batch',
    key: 'code',
    keyWithin: 'templateDisplayName',
    fields: {
      code: code(10),
      displayName: text(100),
      templateDisplayName: initially(GENERAL_TEMPLATE, code(10)),
      balancingAccountId: guid,
      balancingAccountNumber: code(20),
    },
    slots: { code: 't1', displayName: 't2', templateDisplayName: 't3', balancingAccountNumber: 't4' },
    relations: [related('account', 'balancingAccountId', 'balancingAccountNumber')],
  },
  journalLine: {
    number: 81,
    caption: 'Gen. Journal Line',
    partOf: { table: 'journal', by: 'journalId' },
    fields: {
      journalId: guid,
      journalDisplayName: readOnly(code(10)),
      lineNumber: int32,
      documentType: option(genJournalDocumentType),
      accountType: option(genJournalAccountType),
      accountId: guid,
      accountNumber: code(20),
      postingDate: date,
      documentNumber: code(20),
      externalDocumentNumber: text(35),
      amount: decimal,
      appliesToInvoiceId: guid,
      appliesToInvoiceNumber: code(20),
      description: text(100),
      comment: text(250),
      taxCode: code(50),
      balanceAccountType: option(genJournalAccountType),
      balancingAccountId: guid,
      balancingAccountNumber: code(20),
    },
    slots: {
      journalId: 't1',
      documentNumber: 't2',
      accountId: 't3',
      accountNumber: 't4',
      postingDate: 't5',
      accountType: 't6',
      documentType: 't7',
      externalDocumentNumber: 't8',
      lineNumber: 'n1',
      amount: 'n2',
    },
    relations: [
      related('journal', 'journalId', undefined, { journalDisplayName: 'code' }),
      ...accountRelations('accountType', 'accountId', 'accountNumber'),
      ...accountRelations('balanceAccountType', 'balancingAccountId', 'balancingAccountNumber'),
      related('salesInvoice', 'appliesToInvoiceId', 'appliesToInvoiceNumber'),
    ],
  },
});
