import type { ResourceType } from '../../../kernel/arm/index.ts';
import type { Limit } from '../../../kernel/limits/index.ts';
import { API_VERSIONS, DOMAIN_TOPIC_API_VERSIONS, NAMESPACE } from '../versions.ts';
import { DOMAIN, TOPIC } from './kinds.ts';
import { DOMAIN_TOPICS, DOMAINS, TOPICS } from './limits.ts';

const untracked = (name: string): ResourceType => ({
  type: `${NAMESPACE}/${name}`,
  apiVersions: name === 'domains/topics' ? DOMAIN_TOPIC_API_VERSIONS : API_VERSIONS,
  tracked: false,
});

/** With what else the provider has beside them, for those who list it. */
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
