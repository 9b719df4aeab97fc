import { REGIONS, type ResourceHead, type ResourceType } from '../../../kernel/arm/index.ts';
import { NAMESPACE, SYSTEM_TOPIC_API_VERSIONS } from '../versions.ts';

export const GLOBAL = 'global';

/** A system topic represents a source of events: a resource, a resource group or a subscription. */
export const SYSTEM_TOPIC: ResourceHead = {
  type: `${NAMESPACE}/systemTopics`,
  apiVersions: SYSTEM_TOPIC_API_VERSIONS,
  tracked: true,
  operations: 'SystemTopics',
  locations: [GLOBAL, ...REGIONS.map(({ name }) => name)],
};

/** A source's view of its system topic. */
export const EXTENSION_TOPIC: ResourceType = {
  type: `${NAMESPACE}/extensionTopics`,
  apiVersions: SYSTEM_TOPIC_API_VERSIONS,
  tracked: false,
};
