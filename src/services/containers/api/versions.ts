import { type OperationHeaderOptions, versionsFrom } from '../../../kernel/arm/index.ts';

export const NAMESPACE = 'Vendor.ContainerInstance';
export const STANDBY_POOLS = 'Vendor.StandbyPool';
export const CONTAINER_GROUP_TYPE = `${NAMESPACE}/containerGroups` as const;
export const CONTAINER_GROUP_PROFILE_TYPE = `${NAMESPACE}/containerGroupProfiles` as const;
export const STANDBY_POOL_TYPE = `${STANDBY_POOLS}/standbyContainerGroupPools` as const;

/**
 * Every published version, and the unpublished ones that the live service lists, newest first. `version-table.ts` has their differences.
 */
export const API_VERSIONS: readonly string[] = [
  '2026-08-01-preview',
  '2026-07-01',
  '2026-06-01-preview',
  '2025-09-01',
  '2024-11-01-preview',
  '2024-10-01-preview',
  '2024-09-01-preview',
  '2024-05-01-preview',
  '2023-05-15-preview',
  '2023-05-01',
  '2023-02-01-preview',
  '2022-10-01-preview',
  '2022-09-01',
  '2022-04-01-preview',
  '2021-10-01',
  '2021-09-01',
  '2021-07-01',
  '2021-03-01',
  '2020-11-01',
  '2019-12-01',
  '2018-10-01',
  '2018-09-01',
  '2018-07-01',
  '2018-06-01',
  '2018-04-01',
  '2018-02-01-preview',
  '2017-12-01-preview',
  '2017-10-01-preview',
  '2017-08-01-preview',
];

export const USAGES_API_VERSIONS = versionsFrom(API_VERSIONS, '2017-12-01-preview');

/** Profiles exist in the previews of 2022 and permanently from 2024-11-01-preview on. */
export const PROFILE_API_VERSIONS: readonly string[] = API_VERSIONS.filter(
  (version) => version >= '2022-04' && !['2022-09-01', '2024-10-01-preview'].includes(version),
);

/** Newest first. The versions do not differ in anything that the jar offers. */
export const STANDBY_POOL_API_VERSIONS: readonly string[] = ['2025-10-01', '2025-03-01', '2024-03-01'];

/** The real service uses an old api-version in its polling URLs and sends no `Retry-After`. */
export const OPERATION_POLLING: OperationHeaderOptions = { apiVersion: '2018-06-01', retryAfter: false };
