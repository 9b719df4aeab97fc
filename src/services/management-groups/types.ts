import { MANAGEMENT_GROUP_API_VERSIONS, MANAGEMENT_GROUP_TYPE, type ResourceType } from '../../kernel/arm/index.ts';

export const NAMESPACE = 'Vendor.Management';
export const GROUP_TYPE = MANAGEMENT_GROUP_TYPE;
export const GROUP_SUBSCRIPTION_TYPE = `${GROUP_TYPE}/subscriptions`;
export const SETTINGS_TYPE = `${GROUP_TYPE}/settings`;
export const DESCENDANTS_TYPE = `${GROUP_TYPE}/descendants`;
/** The type of a subscription among the children of a group. */
export const SUBSCRIPTION_TYPE = '/subscriptions';

/** The versions have the same fields. */
export const API_VERSIONS = MANAGEMENT_GROUP_API_VERSIONS;

/** The first version that writes types like other providers, and whose operations are polled with `Azure-AsyncOperation`. */
const FIRST_MODERN = '2020-05-01';

/** Older versions write `/providers/` before types, and send only a `Location`. */
export const isOldVersion = (version: string): boolean => version < FIRST_MODERN;

export const RESOURCE_TYPES: readonly ResourceType[] = [
  GROUP_TYPE,
  GROUP_SUBSCRIPTION_TYPE,
  SETTINGS_TYPE,
  DESCENDANTS_TYPE,
  `${NAMESPACE}/getEntities`,
  `${NAMESPACE}/checkNameAvailability`,
  `${NAMESPACE}/startTenantBackfill`,
  `${NAMESPACE}/tenantBackfillStatus`,
  `${NAMESPACE}/operationResults`,
  `${NAMESPACE}/operations`,
].map((type) => ({ type, apiVersions: API_VERSIONS, locations: [], tracked: false }));
