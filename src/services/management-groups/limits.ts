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

/** The provider's own write limit, in addition to the gateway's. It refills faster than the gateway lets one caller write. */
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

/** Higher, because subscriptions are moved more often than groups are created. */
export const SUBSCRIPTION_WRITES: BucketLimit = {
  ...WRITES,
  name: 'management-groups.subscription-requests',
  title: 'Moves of subscriptions into and out of management groups',
  size: 250,
  refillPerSecond: 250,
};

export const GROUP_LIMITS: readonly Limit[] = [GROUPS_IN_TENANT, WRITES, SUBSCRIPTION_WRITES];
