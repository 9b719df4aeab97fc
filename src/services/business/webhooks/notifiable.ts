import type { Api, Model, Page, Table } from '../model/types.ts';

/** Entities of the standard APIs that send notifications. */
export const STANDARD_ENTITIES: readonly string[] = [
  'accounts',
  'companyInformation',
  'countriesRegions',
  'currencies',
  'customerPaymentJournals',
  'customers',
  'dimensions',
  'employees',
  'generalLedgerEntries',
  'itemCategories',
  'items',
  'journals',
  'paymentMethods',
  'paymentTerms',
  'purchaseInvoices',
  'salesCreditMemos',
  'salesInvoices',
  'salesOrders',
  'salesQuotes',
  'shipmentMethods',
  'unitsOfMeasure',
  'vendors',
];

const standardEntities = new Set(STANDARD_ENTITIES.map((set) => set.toLowerCase()));

/** System tables have higher numbers. */
const LAST_APPLICATION_TABLE = 2_000_000_000;
const JOB_QUEUE_ENTRY = 472;

/** The route of a standard API is only a version; that of a custom API begins with publisher and group. */
const isStandard = ({ route }: Api): boolean => !route.includes('/');

interface Candidate {
  readonly api: Api;
  readonly page: Page;
  readonly table: Table;
}

interface Exclusion {
  applies(candidate: Candidate): boolean;
  readonly reason: string;
}

/** Reasons why a page sends no notifications; the first that applies is reported. */
const EXCLUSIONS: readonly Exclusion[] = [
  { applies: ({ page }) => page.query === true, reason: 'it is declared as a query instead of a page' },
  { applies: ({ table }) => table.temporary === true, reason: 'its source table is temporary' },
  {
    applies: ({ table }) => table.number > LAST_APPLICATION_TABLE,
    reason: `its source table is a system table (its number is above ${LAST_APPLICATION_TABLE})`,
  },
  {
    applies: ({ table }) => table.number === JOB_QUEUE_ENTRY,
    reason: `its source table is the job queue entry table (number ${JOB_QUEUE_ENTRY})`,
  },
  {
    applies: ({ page }) => page.keyFields !== undefined && page.keyFields.length === 0,
    reason: 'it declares no key field, and notifications need exactly one',
  },
  {
    applies: ({ page }) => (page.keyFields?.length ?? 1) > 1,
    reason: 'it has a composite key, and notifications need exactly one key field',
  },
  {
    applies: ({ api, page, table }) => page.child === true || (isStandard(api) && table.partOf !== undefined),
    reason: 'it is part of another entity, which notifies of changes to it; subscribe to that one',
  },
  { applies: ({ page }) => page.derived !== undefined, reason: 'its rows are computed on request' },
  {
    applies: ({ api, page }) => isStandard(api) && !standardEntities.has(page.set.toLowerCase()),
    reason: 'it is not among the entities that notify; see webhookSupportedResources',
  },
];

/** Why a page sends no notifications; undefined if it does. */
export function whyNotNotifiable(model: Model, api: Api, page: Page): string | undefined {
  const candidate = { api, page, table: model.table(page.table) };
  return EXCLUSIONS.find(({ applies }) => applies(candidate))?.reason;
}
