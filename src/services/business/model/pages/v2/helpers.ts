import type { Page } from '../../types.ts';
import { one, page, property, READ_VERBS } from '../notation.ts';

const AGED = [
  'name',
  'currencyCode',
  'balanceDue',
  'currentAmount',
  'period1Amount',
  'period2Amount',
  'period3Amount',
  'agedAsOfDate',
  'periodLengthFilter',
].map((name) => property(name));

/** Helper records that belong to other records, and derived rows. */
export const HELPER_PAGES: readonly Page[] = [
  page('defaultDimensions', 'defaultDimension', {
    navigations: [
      one('dimension', 'dimensions', 'dimensionId'),
      one('dimensionValue', 'dimensionValues', 'dimensionValueId'),
    ],
  }),
  page('dimensionSetLines', 'dimensionSetLine', { undated: true }),
  page('pictures', 'picture', { verbs: ['GET', 'PATCH', 'DELETE'] }),
  page('attachments', 'attachment'),
  page('documentAttachments', 'documentAttachment'),
  page('pdfDocument', 'pdfDocument', { verbs: READ_VERBS, undated: true, derived: 'pdfDocument' }),
  page('customerFinancialDetails', 'customerFinancialDetail', {
    verbs: READ_VERBS,
    undated: true,
    derived: 'customerFinancialDetail',
  }),
  page('agedAccountsReceivables', 'agedAccountsReceivable', {
    verbs: READ_VERBS,
    derived: 'agedAccountsReceivable',
    properties: [property('customerId', 'id'), property('customerNumber'), ...AGED],
  }),
  page('agedAccountsPayables', 'agedAccountsPayable', {
    verbs: READ_VERBS,
    derived: 'agedAccountsPayable',
    properties: [property('vendorId', 'id'), property('vendorNumber'), ...AGED],
  }),
  page('trialBalances', 'trialBalance', {
    verbs: READ_VERBS,
    derived: 'trialBalance',
    keyed: (number) => ({ number }),
    properties: [
      property('number'),
      property('accountId', 'id'),
      property('accountType'),
      property('display'),
      property('totalDebit'),
      property('totalCredit'),
      property('balanceAtDateDebit'),
      property('balanceAtDateCredit'),
      property('dateFilter'),
    ],
  }),
];
