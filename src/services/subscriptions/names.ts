import type { ResourceType } from '../../kernel/arm/index.ts';

export const NAMESPACE = 'Vendor.Subscription';
export const BILLING_NAMESPACE = 'Vendor.Billing';

/** The API of the pages for new owners. */
export const OWNERSHIP_PAGES = 'subscription-pages';

/** Api-versions in which the owner can differ from the caller, newest first. Their differences are in `version-table.ts`. */
export const OWNERSHIP_API_VERSIONS: readonly string[] = ['2025-11-01-preview', '2024-08-01-preview', '2021-10-01'];
export const ALIAS_API_VERSIONS: readonly string[] = [...OWNERSHIP_API_VERSIONS, '2020-09-01', '2019-10-01-preview'];
/** Cancelling, enabling and renaming are older than aliases. */
export const STATE_API_VERSIONS: readonly string[] = [...ALIAS_API_VERSIONS, '2019-03-01-preview'];
export const BILLING_API_VERSIONS: readonly string[] = ['2024-04-01', '2020-05-01', '2019-10-01-preview'];

const types = (namespace: string, names: readonly string[], apiVersions: readonly string[]): ResourceType[] =>
  names.map((name) => ({ type: `${namespace}/${name}`, apiVersions, locations: [], tracked: false }));

export const RESOURCE_TYPES: readonly ResourceType[] = [
  ...types(NAMESPACE, ['aliases'], ALIAS_API_VERSIONS),
  ...types(NAMESPACE, ['policies', 'acceptOwnership', 'acceptOwnershipStatus'], OWNERSHIP_API_VERSIONS),
  ...types(NAMESPACE, ['cancel', 'enable', 'rename', 'subscriptionOperations', 'operations'], STATE_API_VERSIONS),
  ...types(BILLING_NAMESPACE, ['billingAccounts'], BILLING_API_VERSIONS),
];

export const aliasId = (name: string): string => `/providers/${NAMESPACE}/aliases/${name}`;
export const managementGroupId = (name: string): string => `/providers/Vendor.Management/managementGroups/${name}`;
export const operationPath = (id: string): string => `/providers/${NAMESPACE}/subscriptionOperations/${id}`;
export const ownershipPath = (subscriptionId: string): string =>
  `/providers/${NAMESPACE}/subscriptions/${subscriptionId}/acceptOwnership`;
