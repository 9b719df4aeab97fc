import type { Page } from '../../types.ts';
import { many, one, page, READ_VERBS } from '../notation.ts';

export const REFERENCE_PAGES: readonly Page[] = [
  page('companyInformation', 'companyInformation', { verbs: ['GET', 'PATCH'], single: true }),
  page('countriesRegions', 'countryRegion'),
  page('currencies', 'currency'),
  page('paymentMethods', 'paymentMethod'),
  page('paymentTerms', 'paymentTerm'),
  page('shipmentMethods', 'shipmentMethod'),
  page('taxAreas', 'taxArea'),
  page('taxGroups', 'taxGroup'),
  page('disputeStatus', 'disputeStatus'),
  page('dimensions', 'dimension', { verbs: READ_VERBS, navigations: [many('dimensionValues', 'dimensionId')] }),
  page('dimensionValues', 'dimensionValue', {
    verbs: READ_VERBS,
    navigations: [one('dimension', 'dimensions', 'dimensionId')],
  }),
];
