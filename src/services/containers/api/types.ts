import type { ResourceType } from '../../../kernel/arm/index.ts';
import { API_VERSIONS, CONTAINER_GROUP_TYPE, NAMESPACE, USAGES_API_VERSIONS } from './versions.ts';

/** What the gateway has to know of container groups; the rest of the definition is in `group.ts`. */
export const CONTAINER_GROUP_HEAD: ResourceType = {
  type: CONTAINER_GROUP_TYPE,
  apiVersions: API_VERSIONS,
  tracked: true,
  zonal: true,
  capabilities: ['SystemAssignedResourceIdentity', 'SupportsTags', 'SupportsLocation'],
};

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

export const CONTAINER_TYPES: readonly ResourceType[] = [CONTAINER_GROUP_HEAD, ...OTHER_TYPES];
