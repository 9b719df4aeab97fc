import type { ResourceType } from '../../../kernel/arm/providers.ts';
import type { ResourceHead } from '../../../kernel/arm/resource-routes.ts';
import { API_VERSIONS, CONTAINER_GROUP_TYPE, NAMESPACE } from './versions.ts';

/** What has to be known of container groups before anybody asks for one; the rest of the definition is in `group.ts`. */
export const CONTAINER_GROUP_HEAD: ResourceHead = {
  type: CONTAINER_GROUP_TYPE,
  apiVersions: API_VERSIONS,
  tracked: true,
  operations: 'ContainerGroups',
  // Within a transaction, where only the first waits for the module: it needs nothing of the store to be loaded.
  onDelete: async (tx, resource, jar) => (await import('../code.ts')).forgetResource(tx, resource, jar),
};

const untracked = (name: string): ResourceType => ({
  type: `${NAMESPACE}/${name}`,
  apiVersions: API_VERSIONS,
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
