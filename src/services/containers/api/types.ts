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

/** What the gateway has to know of container groups; the rest of the definition is in `group.ts`. */
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

/** What hangs below pools. */
const POOL_TYPES: readonly ResourceType[] = ['standbyContainerGroupPools/runtimeViews', 'locations/operations'].map(
  (name) => ({ type: `${STANDBY_POOLS}/${name}`, apiVersions: STANDBY_POOL_API_VERSIONS, tracked: false }),
);

const untracked = (name: string): ResourceType => ({
  type: `${NAMESPACE}/${name}`,
  apiVersions: name === 'locations/usages' ? USAGES_API_VERSIONS : API_VERSIONS,
  tracked: false,
});

/** What else the provider has beside container groups, for those who list it. */
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
