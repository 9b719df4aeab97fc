import type { ResourceType } from '../../../kernel/arm/index.ts';
import {
  API_VERSIONS,
  CONTAINER_GROUP_PROFILE_TYPE,
  CONTAINER_GROUP_TYPE,
  NAMESPACE,
  PROFILE_API_VERSIONS,
  STANDBY_POOL_API_VERSIONS,
  STANDBY_POOL_TYPE,
  STANDBY_POOLS,
  USAGES_API_VERSIONS,
} from './versions.ts';

/** The head of the resource type, which the gateway needs at the start; the rest of the definition is in `group.ts`. */
export const CONTAINER_GROUP_HEAD: ResourceType = {
  type: CONTAINER_GROUP_TYPE,
  apiVersions: API_VERSIONS,
  tracked: true,
  zonal: true,
  capabilities: ['SystemAssignedResourceIdentity', 'SupportsTags', 'SupportsLocation'],
};

export const PROFILE_HEAD: ResourceType = {
  type: CONTAINER_GROUP_PROFILE_TYPE,
  apiVersions: PROFILE_API_VERSIONS,
  tracked: true,
};

export const STANDBY_POOL_HEAD: ResourceType = {
  type: STANDBY_POOL_TYPE,
  apiVersions: STANDBY_POOL_API_VERSIONS,
  tracked: true,
};

/** Child types of pools. */
const POOL_TYPES: readonly ResourceType[] = ['standbyContainerGroupPools/runtimeViews', 'locations/operations'].map(
  (name) => ({ type: `${STANDBY_POOLS}/${name}`, apiVersions: STANDBY_POOL_API_VERSIONS, tracked: false }),
);

const untracked = (name: string): ResourceType => ({
  type: `${NAMESPACE}/${name}`,
  apiVersions: name === 'locations/usages' ? USAGES_API_VERSIONS : API_VERSIONS,
  tracked: false,
});

/** The other types of the provider, for the list of its resource types. */
const OTHER_TYPES: readonly ResourceType[] = [
  'locations',
  'locations/usages',
  'locations/capabilities',
  'locations/cachedImages',
  'locations/operations',
  'operations',
  'serviceAssociationLinks',
].map(untracked);

export const CONTAINER_TYPES: readonly ResourceType[] = [
  CONTAINER_GROUP_HEAD,
  PROFILE_HEAD,
  ...OTHER_TYPES,
  STANDBY_POOL_HEAD,
  ...POOL_TYPES,
];
