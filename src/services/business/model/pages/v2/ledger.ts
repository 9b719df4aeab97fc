import { CASH_RECEIPT_TEMPLATE, GENERAL_TEMPLATE } from '../../tables/journals.ts';
import type { Page } from '../../types.ts';
import { attachments, dimensionSetLines, many, one, page, property, READ_VERBS, twin } from '../notation.ts';

/** Accounts, posted entries, and journals. */
export const LEDGER_PAGES: readonly Page[] = [
  page('accounts', 'account', { verbs: READ_VERBS, navigations: [twin('trialBalance', 'trialBalances')] }),
  page('generalLedgerEntries', 'generalLedgerEntry', {
    verbs: READ_VERBS,
    navigations: [
      one('account', 'accounts', 'accountId'),
      attachments('General Ledger Entry'),
      dimensionSetLines('General Ledger Entry'),
    ],
  }),
  page('journals', 'journal', {
    unlessFiltered: { field: 'templateDisplayName', is: GENERAL_TEMPLATE },
    actions: ['post'],
    navigations: [many('journalLines', 'journalId')],
  }),
  page('journalLines', 'journalLine', {
    hidden: ['documentType', 'appliesToInvoiceId', 'appliesToInvoiceNumber'],
    navigations: [
      one('journal', 'journals', 'journalId'),
      one('customerPaymentJournal', 'customerPaymentJournals', 'journalId'),
      one('account', 'accounts', 'accountId'),
      attachments('Journal'),
      dimensionSetLines('Journal Line'),
    ],
  }),
  page('customerPaymentJournals', 'journal', {
    entity: 'customerPaymentJournal',
    hidden: ['templateDisplayName'],
    where: { templateDisplayName: CASH_RECEIPT_TEMPLATE },
    navigations: [many('customerPayments', 'journalId')],
  }),
  page('customerPayments', 'journalLine', {
    entity: 'customerPayment',
    where: { accountType: 'Customer', documentType: 'Payment' },
    properties: [
      property('id'),
      property('journalId'),
      property('journalDisplayName'),
      property('lineNumber'),
      property('customerId', 'accountId'),
      property('customerNumber', 'accountNumber'),
      property('postingDate'),
      property('documentNumber'),
      property('externalDocumentNumber'),
      property('amount'),
      property('appliesToInvoiceId'),
      property('appliesToInvoiceNumber'),
      property('description'),
      property('comment'),
      property('lastModifiedDateTime'),
    ],
    navigations: [
      one('customerPaymentJournal', 'customerPaymentJournals', 'journalId'),
      one('customer', 'customers', 'accountId'),
      dimensionSetLines('Journal Line'),
    ],
  }),
];
