/**
 * Published api-versions that several services need. Names only, so that manifests can use them at start; the content of each version is in
 * the tables of the services (`ProviderVersions`).
 */

/** Versions before 2019-06-01 that types of different age share, newest first. */
const BEFORE_JUNE_2019: readonly string[] = [
  '2019-05-10',
  '2019-05-01',
  '2019-03-01',
  '2018-11-01',
  '2018-09-01',
  '2018-08-01',
  '2018-07-01',
  '2018-06-01',
  '2018-05-01',
  '2018-02-01',
  '2018-01-01',
  '2017-12-01',
  '2017-08-01',
  '2017-06-01',
  '2017-05-10',
  '2017-05-01',
  '2017-03-01',
  '2016-09-01',
  '2016-07-01',
  '2016-06-01',
  '2016-02-01',
  '2015-11-01',
  '2015-01-01',
  '2014-04-01-preview',
  '2014-04-01',
  '2014-01-01',
  '2013-03-01',
  // Out of order, as the real gateway lists them.
  '2014-02-26',
  '2014-04',
];

/** Versions of the gateway's own types: subscriptions, resource groups, tenants, providers, resources, operations. Newest first. */
export const GATEWAY_API_VERSIONS: readonly string[] = [
  '2025-04-01',
  '2025-03-01',
  '2024-11-01',
  '2024-08-01',
  '2024-07-01',
  '2024-06-01-preview',
  '2024-03-01',
  '2023-07-01',
  '2023-07-01-preview',
  '2023-03-01-preview',
  '2022-12-01',
  '2022-11-01-preview',
  '2022-09-01',
  '2022-06-01',
  '2022-05-01',
  '2022-03-01-preview',
  '2022-01-01',
  '2021-04-01',
  '2021-01-01',
  '2020-10-01',
  '2020-09-01',
  '2020-08-01',
  '2020-07-01',
  '2020-06-01',
  '2020-05-01',
  '2020-01-01',
  '2019-11-01',
  '2019-10-01',
  '2019-09-01',
  '2019-08-01',
  '2019-07-01',
  '2019-06-01',
  ...BEFORE_JUNE_2019,
];

/** `Vendor.Resources/tags`; only the provider document lists the four oldest. */
export const TAGS_API_VERSIONS: readonly string[] = [
  '2025-04-01',
  '2025-03-01',
  '2024-11-01',
  '2024-07-01',
  '2024-03-01',
  '2023-07-01',
  '2022-09-01',
  '2021-04-01',
  '2021-01-01',
  '2020-10-01',
  '2020-08-01',
  '2020-06-01',
  '2019-10-01',
  '2019-05-01',
  '2019-04-01',
  '2019-03-01',
  '2018-11-01',
];

/** `tagNames` and `tagNames/tagValues`: two recent versions, and the gateway's from 2019-05-01 down to 2014-04-01-preview. */
export const TAG_NAMES_API_VERSIONS: readonly string[] = [
  '2023-07-01',
  '2022-09-01',
  ...BEFORE_JUNE_2019.filter((version) => version <= '2019-05-01' && version >= '2014-04-01-preview'),
];

/** `Vendor.Management/managementGroups`, including three that only the live service lists. */
export const MANAGEMENT_GROUP_API_VERSIONS: readonly string[] = [
  '2024-02-01-preview',
  '2023-04-01',
  '2021-04-01',
  '2020-10-01',
  '2020-05-01',
  '2020-02-01',
  '2019-11-01',
  '2018-03-01-preview',
  '2018-03-01-beta',
  '2018-01-01-preview',
  '2017-11-01-preview',
  '2017-08-31-preview',
  '2017-06-30-preview',
  '2017-05-31-preview',
];

/** `Vendor.Features/features`; only the newer one has registrations as resources. */
export const FEATURES_API_VERSIONS: readonly string[] = ['2021-07-01', '2015-12-01'];

/** `Vendor.Authorization/locks` */
export const LOCK_API_VERSIONS: readonly string[] = ['2020-05-01', '2017-04-01', '2016-09-01', '2015-01-01'];

/** `Vendor.Authorization/providerOperations` */
export const PROVIDER_OPERATIONS_API_VERSIONS: readonly string[] = ['2022-04-01', '2018-01-01-preview', '2015-07-01'];

/** The versions of a list (newest first) since `first`, without some: for a type that is newer than its provider. */
export const versionsFrom = (list: readonly string[], first: string, ...without: readonly string[]): string[] =>
  list.slice(0, list.indexOf(first) + 1).filter((version) => !without.includes(version));
