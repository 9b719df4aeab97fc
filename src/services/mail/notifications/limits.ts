import type { Limit, QuotaLimit, RateLimit } from '../../../kernel/limits/index.ts';
import { SECOND_MS } from '../../../kernel/time/index.ts';

/** Subscriptions of all applications together. */
export const SUBSCRIPTIONS: QuotaLimit = {
  kind: 'quota',
  name: 'mail.subscriptions',
  title: 'Active change-notification subscriptions of a mailbox',
  scope: ['mailbox'],
  unit: 'subscriptions',
  limit: 1000,
};

/** Each kind of request has two limits: for an application in one tenant, and for an application in all tenants. */
export interface RequestLimits {
  readonly ofTenant: RateLimit;
  readonly ofApplication: RateLimit;
}

const WINDOW_MS = 20 * SECOND_MS;

function requestLimits(kind: string, what: string, ofTenant: number, ofApplication: number): RequestLimits {
  const row = { kind: 'window', window: 'fixed', windowMs: WINDOW_MS, incidental: true } as const;
  return {
    ofTenant: {
      ...row,
      name: `mail.subscription-${kind}`,
      title: `${what} of an application in a tenant in 20 seconds`,
      scope: ['application', 'tenant'],
      limit: ofTenant,
    },
    ofApplication: {
      ...row,
      name: `mail.subscription-${kind}-of-application`,
      title: `${what} of an application in all tenants in 20 seconds`,
      scope: ['application'],
      limit: ofApplication,
    },
  };
}

export const WRITES = requestLimits('writes', 'Creations, changes and deletions of subscriptions', 500, 2000);
export const REAUTHORIZATIONS = requestLimits('reauthorizations', 'Reauthorizations of subscriptions', 1000, 4000);
export const READS = requestLimits('reads', 'Requests for one subscription', 500, 2000);
export const LISTS = requestLimits('lists', 'Lists of subscriptions', 25, 40);

export const NOTIFICATION_LIMITS: readonly Limit[] = [
  SUBSCRIPTIONS,
  ...[WRITES, REAUTHORIZATIONS, READS, LISTS].flatMap(({ ofTenant, ofApplication }) => [ofTenant, ofApplication]),
];
