import type { BucketLimit, Limit, QuotaLimit } from '../../kernel/limits/index.ts';

export const GROUPS_IN_TENANT: QuotaLimit = {
  kind: 'quota',
  name: 'management-groups.groups',
  title: 'Management groups in a tenant, without the root group',
  scope: ['tenant'],
  unit: 'management groups',
  limit: 10_000,
  fixed: true,
};

/** What the provider itself counts of writes, beside the gateway. It refills faster than the gateway lets one caller through. */
export const WRITES: BucketLimit = {
  kind: 'bucket',
  name: 'management-groups.requests',
  title: 'Writes of management groups',
  scope: ['tenant', 'principal'],
  unit: 'requests',
  size: 60,
  refillPerSecond: 60,
  incidental: true,
};

/** Subscriptions are moved more often than groups are made. */
export const SUBSCRIPTION_WRITES: BucketLimit = {
  ...WRITES,
  name: 'management-groups.subscription-requests',
  title: 'Moves of subscriptions into and out of management groups',
  size: 250,
  refillPerSecond: 250,
};

export const GROUP_LIMITS: readonly Limit[] = [GROUPS_IN_TENANT, WRITES, SUBSCRIPTION_WRITES];
