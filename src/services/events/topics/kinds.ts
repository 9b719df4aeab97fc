import type { ResourceCapability, ResourceHead } from '../../../kernel/arm/index.ts';
import type { QuotaLimit } from '../../../kernel/limits/index.ts';
import { API_VERSIONS, DOMAIN_API_VERSIONS, NAMESPACE } from '../versions.ts';
import { DOMAINS, TOPICS } from './limits.ts';

export const TOPIC_TYPE = `${NAMESPACE}/topics` as const;
export const DOMAIN_TYPE = `${NAMESPACE}/domains` as const;
export const DOMAIN_TOPIC_TYPE = `${NAMESPACE}/domains/topics` as const;

const CAPABILITIES: readonly ResourceCapability[] = [
  'CrossResourceGroupResourceMove',
  'CrossSubscriptionResourceMove',
  'SystemAssignedResourceIdentity',
  'SupportsTags',
  'SupportsLocation',
];

/** Types that events are published to: a topic, or a domain, which has many topics behind one address. They differ in little. */
export interface Kind extends ResourceHead {
  readonly word: 'topic' | 'domain';
  readonly quota: QuotaLimit;
}

export const TOPIC: Kind = {
  word: 'topic',
  type: TOPIC_TYPE,
  apiVersions: API_VERSIONS,
  tracked: true,
  capabilities: CAPABILITIES,
  operations: 'Topics',
  quota: TOPICS,
};

export const DOMAIN: Kind = {
  word: 'domain',
  type: DOMAIN_TYPE,
  apiVersions: DOMAIN_API_VERSIONS,
  tracked: true,
  capabilities: CAPABILITIES,
  operations: 'Domains',
  quota: DOMAINS,
};
