import type { Operation } from '../operation.ts';
import { CONSUMER_LISTING_OPERATIONS } from './consumer-listings.ts';
import { DASHBOARD_OPERATIONS } from './dashboard.ts';
import { EXCHANGE_OPERATIONS } from './exchange-operations.ts';
import { FILE_OPERATIONS } from './files.ts';
import { INSTALLATION_OPERATIONS } from './installations.ts';
import { LISTING_OPERATIONS } from './listings.ts';
import { PROVIDER_OPERATIONS } from './providers.ts';
import { REQUEST_OPERATIONS } from './requests.ts';

/** Operations of both sides of the marketplace. */
export const MARKET_OPERATIONS: readonly Operation[] = [
  ...CONSUMER_LISTING_OPERATIONS,
  ...DASHBOARD_OPERATIONS,
  ...EXCHANGE_OPERATIONS,
  ...FILE_OPERATIONS,
  ...INSTALLATION_OPERATIONS,
  ...LISTING_OPERATIONS,
  ...PROVIDER_OPERATIONS,
  ...REQUEST_OPERATIONS,
];
