import type { ResourceType } from '../../../kernel/arm/index.ts';
import type { Limit } from '../../../kernel/limits/index.ts';
import { API_VERSIONS, DOMAIN_TOPIC_API_VERSIONS, NAMESPACE, OPERATION_STATUS_API_VERSIONS } from '../versions.ts';
import { DOMAIN, TOPIC } from './kinds.ts';
import { DOMAIN_TOPICS, DOMAINS, TOPICS } from './limits.ts';

/** For types whose api-versions differ from the provider's. */
const OWN_VERSIONS: Readonly<Record<string, readonly string[]>> = {
  'domains/topics': DOMAIN_TOPIC_API_VERSIONS,
  'locations/operationsStatus': OPERATION_STATUS_API_VERSIONS,
};

const untracked = (name: string): ResourceType => ({
  type: `${NAMESPACE}/${name}`,
  apiVersions: OWN_VERSIONS[name] ?? API_VERSIONS,
  tracked: false,
});

/** Also includes the further types of the provider, for its list. */
export const TOPIC_TYPES: readonly ResourceType[] = [
  TOPIC,
  DOMAIN,
  ...[
    'domains/topics',
    'eventTypes',
    'topicTypes',
    'topicTypes/eventTypes',
    'locations',
    'locations/operationsStatus',
    'operations',
  ].map(untracked),
];

export const TOPIC_LIMITS: readonly Limit[] = [TOPICS, DOMAINS, DOMAIN_TOPICS];
