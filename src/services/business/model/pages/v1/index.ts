import type { Api, EmbeddedList, Page, PageProperty } from '../../types.ts';
import { withTenantPages } from '../tenant.ts';
import { V2_COMPANY_PAGES } from '../v2/index.ts';
import { asVersionOne, type Differences, type Fold } from './as-version-one.ts';
import {
  ADDRESS,
  CREDIT_MEMO_ADDRESSES,
  ITEM_UNIT,
  LINE_DETAILS,
  LINE_UNIT,
  PURCHASE_ADDRESSES,
  SALES_ADDRESSES,
} from './folds.ts';

const folded = (...folds: readonly Fold[]): Differences => ({ folds });

/** In v1.0 the id of a line is a text: the id of its document, a hyphen, and its sequence. */
const LINE_ID: PageProperty = {
  kind: 'computed',
  name: 'id',
  type: 'string',
  maxLength: 50,
  of: (read) => `${read('documentId')}-${read('sequence')}`,
};

const LINE_KEY = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-(\d{1,10})$/i;

function lineOfKey(key: string): { readonly documentId: string; readonly sequence: number } | undefined {
  const [, documentId, sequence] = LINE_KEY.exec(key) ?? [];
  return documentId === undefined ? undefined : { documentId: documentId.toLowerCase(), sequence: Number(sequence) };
}

const DIMENSIONS: EmbeddedList = {
  name: 'dimensions',
  typeName: 'dimensionType',
  navigation: 'dimensionLines',
  properties: ['code', 'displayName', 'valueCode', 'valueDisplayName'],
};

const entryOfKey = (key: string): { readonly entryNumber: number } | undefined =>
  /^\d{1,10}$/.test(key) ? { entryNumber: Number(key) } : undefined;

const DIFFERENCES: Readonly<Record<string, Differences>> = {
  customers: folded(ADDRESS),
  vendors: folded(ADDRESS),
  employees: folded(ADDRESS),
  locations: folded(ADDRESS),
  companyInformation: folded(ADDRESS),
  items: folded(ITEM_UNIT),
  salesQuotes: folded(...SALES_ADDRESSES),
  salesOrders: folded(...SALES_ADDRESSES),
  salesInvoices: folded(...SALES_ADDRESSES),
  salesCreditMemos: folded(...CREDIT_MEMO_ADDRESSES),
  purchaseInvoices: folded(...PURCHASE_ADDRESSES),
  journalLines: { embedded: [DIMENSIONS] },
};

function inVersionOne(page: Page): Page {
  if (page.set === 'generalLedgerEntries') return ledgerEntries(page);
  return page.set.endsWith('Lines') && page.properties.some(({ name }) => name === 'documentId')
    ? documentLines(page)
    : asVersionOne(page, DIFFERENCES[page.set]);
}

/** The unit of measure is part of the line, so the navigation of that name is left out. */
function documentLines(page: Page): Page {
  const shown = {
    ...page,
    properties: [LINE_ID, ...page.properties.slice(1)],
    navigations: page.navigations.filter(({ name }) => name !== 'unitOfMeasure'),
  };
  return asVersionOne(shown, { folds: [LINE_DETAILS, LINE_UNIT], keyed: lineOfKey });
}

/** In v1.0 an entry is identified by its number. */
function ledgerEntries(page: Page): Page {
  const rest = page.properties.filter(({ name }) => name !== 'id' && name !== 'entryNumber');
  const id: PageProperty = { kind: 'field', name: 'id', field: 'entryNumber' };
  return asVersionOne({ ...page, properties: [id, ...rest] }, { keyed: entryOfKey, embedded: [DIMENSIONS] });
}

export const V1: Api = {
  route: 'v1.0',
  pages: withTenantPages(V2_COMPANY_PAGES.map(inVersionOne), { system: false }),
};
