import type { ResourceType } from '../../../kernel/arm/index.ts';
import type { BucketLimit, Limit, QuotaLimit } from '../../../kernel/limits/index.ts';
import { API_VERSIONS, NAMESPACE } from '../versions.ts';
import { PARENT_KINDS } from './parent-kinds.ts';

/** At any scope, as an extension resource. */
export const EXTENSION_TYPE = `${NAMESPACE}/eventSubscriptions` as const;

export const SUBSCRIPTION_TYPES: readonly ResourceType[] = [
  { type: EXTENSION_TYPE, apiVersions: API_VERSIONS },
  ...PARENT_KINDS,
].map(({ type, apiVersions }) => ({
  type,
  apiVersions,
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

/** The provider's own rate limit, in addition to the gateway's. It refills faster than the gateway admits one caller. */
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
