import type { ResourceType } from '../../../kernel/arm/index.ts';
import type { BucketLimit, Limit, QuotaLimit } from '../../../kernel/limits/index.ts';
import { API_VERSIONS, NAMESPACE, NESTED_API_VERSIONS, PARTNER_API_VERSIONS } from '../versions.ts';

/** At any scope, as an extension of what is there. */
export const EXTENSION_TYPE = `${NAMESPACE}/eventSubscriptions` as const;
/** The twins that are nested below a topic, a domain or the topic of a domain: resources of their own beside those at the same scope. */
export const TOPIC_CHILD_TYPE = `${NAMESPACE}/topics/eventSubscriptions` as const;
export const DOMAIN_CHILD_TYPE = `${NAMESPACE}/domains/eventSubscriptions` as const;
export const DOMAIN_TOPIC_CHILD_TYPE = `${NAMESPACE}/domains/topics/eventSubscriptions` as const;
export const PARTNER_TOPIC_CHILD_TYPE = `${NAMESPACE}/partnerTopics/eventSubscriptions` as const;

/** Of types that are not in all versions of the provider. */
const OWN_VERSIONS: Readonly<Record<string, readonly string[]>> = {
  [EXTENSION_TYPE]: API_VERSIONS,
  [PARTNER_TOPIC_CHILD_TYPE]: PARTNER_API_VERSIONS,
};

export const SUBSCRIPTION_TYPES: readonly ResourceType[] = [
  EXTENSION_TYPE,
  TOPIC_CHILD_TYPE,
  DOMAIN_CHILD_TYPE,
  DOMAIN_TOPIC_CHILD_TYPE,
  PARTNER_TOPIC_CHILD_TYPE,
].map((type) => ({
  type,
  apiVersions: OWN_VERSIONS[type] ?? NESTED_API_VERSIONS,
  tracked: false,
  ...(type === EXTENSION_TYPE && { capabilities: ['SupportsExtension'] as const }),
}));

export const AT_A_SCOPE: QuotaLimit = {
  kind: 'quota',
  name: 'events.subscriptions',
  title: 'Event subscriptions of one topic or other scope',
  scope: ['topic'],
  unit: 'event subscriptions',
  limit: 500,
  fixed: true,
};

export const AT_A_DOMAIN: QuotaLimit = {
  kind: 'quota',
  name: 'events.domain-subscriptions',
  title: 'Event subscriptions at the scope of a domain',
  scope: ['domain'],
  unit: 'event subscriptions',
  limit: 50,
  fixed: true,
};

/** What the provider itself counts, beside the gateway. It refills faster than the gateway lets one caller through. */
export const REQUESTS: BucketLimit = {
  kind: 'bucket',
  name: 'events.requests',
  title: 'Requests about event subscriptions',
  scope: ['subscription'],
  unit: 'requests',
  size: 900,
  refillPerSecond: 60,
  incidental: true,
};

export const SUBSCRIPTION_LIMITS: readonly Limit[] = [AT_A_SCOPE, AT_A_DOMAIN, REQUESTS];
