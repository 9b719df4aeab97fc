import type { Api, Page } from '../../types.ts';
import { withTenantPages } from '../tenant.ts';
import { DOCUMENT_PAGES } from './documents.ts';
import { HELPER_PAGES } from './helpers.ts';
import { ITEM_PAGES } from './items.ts';
import { LEDGER_PAGES } from './ledger.ts';
import { PARTY_PAGES } from './parties.ts';
import { REFERENCE_PAGES } from './reference.ts';

/** All sets of a company in v2.0. */
export const V2_COMPANY_PAGES: readonly Page[] = [
  ...PARTY_PAGES,
  ...ITEM_PAGES,
  ...REFERENCE_PAGES,
  ...LEDGER_PAGES,
  ...DOCUMENT_PAGES,
  ...HELPER_PAGES,
];

export const V2: Api = { route: 'v2.0', pages: withTenantPages(V2_COMPANY_PAGES, { system: true }) };
