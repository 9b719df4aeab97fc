import type { BucketLimit, Limit, QuotaLimit } from '../limits/index.ts';

export type OperationClass = 'reads' | 'writes' | 'deletes';

/** Rate limits of one caller in a subscription or tenant: burst size and refill per second. */
const BUCKETS: Readonly<Record<OperationClass, Pick<BucketLimit, 'size' | 'refillPerSecond'>>> = {
  reads: { size: 250, refillPerSecond: 25 },
  writes: { size: 200, refillPerSecond: 10 },
  deletes: { size: 200, refillPerSecond: 10 },
};

/** All callers of a subscription together have this many times the limit of one caller. */
const GLOBAL_FACTOR = 15;

interface ClassLimits {
  readonly subscription: BucketLimit;
  readonly everybody: BucketLimit;
  readonly tenant: BucketLimit;
}

function classLimits(operation: OperationClass): ClassLimits {
  const bucket = BUCKETS[operation];
  const common = { kind: 'bucket', incidental: true } as const;
  return {
    subscription: {
      ...common,
      ...bucket,
      name: `management.${operation}`,
      title: `Management ${operation} of one caller in a subscription`,
      scope: ['subscription', 'principal'],
    },
    everybody: {
      ...common,
      size: bucket.size * GLOBAL_FACTOR,
      refillPerSecond: bucket.refillPerSecond * GLOBAL_FACTOR,
      name: `management.global-${operation}`,
      title: `Management ${operation} of all callers in a subscription`,
      scope: ['subscription'],
    },
    tenant: {
      ...common,
      ...bucket,
      name: `management.tenant-${operation}`,
      title: `Management ${operation} of one caller outside of subscriptions`,
      scope: ['tenant', 'principal'],
    },
  };
}

export const REQUESTS: Readonly<Record<OperationClass, ClassLimits>> = {
  reads: classLimits('reads'),
  writes: classLimits('writes'),
  deletes: classLimits('deletes'),
};

export const GROUPS_IN_SUBSCRIPTION: QuotaLimit = {
  kind: 'quota',
  name: 'management.resource-groups',
  title: 'Resource groups in a subscription',
  scope: ['subscription'],
  unit: 'groups',
  limit: 980,
  fixed: true,
};

export const RESOURCES_OF_TYPE: QuotaLimit = {
  kind: 'quota',
  name: 'management.resources-of-type',
  title: 'Resources of one type in a resource group',
  scope: ['subscription', 'group', 'type'],
  unit: 'resources',
  limit: 800,
  fixed: true,
};

export const LOCKS_AT_SCOPE: QuotaLimit = {
  kind: 'quota',
  name: 'management.locks',
  title: 'Locks at one scope',
  scope: ['lockedScope'],
  unit: 'locks',
  limit: 20,
  fixed: true,
};

const inRegion = (name: string, title: string, unit: string, limit: number): QuotaLimit => ({
  kind: 'quota',
  name: `management.${name}`,
  title: `${title} of a subscription in a region`,
  scope: ['subscription', 'region'],
  unit,
  limit,
  fixed: true,
});

export const STORAGE_ACCOUNTS_IN_REGION = inRegion('storage-accounts', 'Storage accounts', 'accounts', 250);
export const VIRTUAL_MACHINES_IN_REGION = inRegion('virtual-machines', 'Virtual machines', 'machines', 25_000);

/** Limits of the gateway itself, for all providers. */
export const MANAGEMENT_LIMITS: readonly Limit[] = [
  ...Object.values(REQUESTS).flatMap(({ subscription, everybody, tenant }) => [subscription, everybody, tenant]),
  GROUPS_IN_SUBSCRIPTION,
  RESOURCES_OF_TYPE,
  LOCKS_AT_SCOPE,
  STORAGE_ACCOUNTS_IN_REGION,
  VIRTUAL_MACHINES_IN_REGION,
];
