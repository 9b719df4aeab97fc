import type { QuotaLimit } from '../../../kernel/limits/index.ts';

/** The number is the setting `ApiSubscriptionMaxNumberOfSubscriptions`, which changes this limit and no copy of it. */
export const SUBSCRIPTIONS: QuotaLimit = {
  kind: 'quota',
  name: 'business.subscriptions',
  title: 'Webhook subscriptions of a tenant',
  scope: ['tenant'],
  unit: 'subscriptions',
  limit: 200,
};

export const WEBHOOK_LIMITS: readonly QuotaLimit[] = [SUBSCRIPTIONS];
